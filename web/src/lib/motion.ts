// Whether things may move: the player's choice, else what the system prefers.

import { keep, recall } from './storage'

const KEY = 'sandtable.motion'

export type Motion = 'system' | 'reduced' | 'full'

export function chosenMotion(): Motion {
  const kept = recall(KEY)
  return kept === 'reduced' || kept === 'full' ? kept : 'system'
}

export function chooseMotion(motion: Motion): void {
  keep(KEY, motion)
  document.documentElement.dataset.motion = motion
}

/** Set `data-motion` on <html> (`reduced` or not); call it once. */
export function startMotion(): void {
  document.documentElement.dataset.motion = chosenMotion()
}

/** Ask before each animation. */
export function reducedMotion(): boolean {
  const chosen = document.documentElement.dataset.motion ?? 'system'
  if (chosen !== 'system') return chosen === 'reduced'
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
