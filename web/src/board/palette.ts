// The colours of the theme that is shown, as the canvas needs them.

import { isSafe, type Theme } from '../lib/theme'
import type { Mark } from '../lib/types'
import { WORDS, type Paint } from '../lib/vocabulary'

const NAMES = [
  'sea', 'shore', 'snow', 'out', 'sea-line', 'sea-ink', 'coast', 'border', 'closed', 'void', 'hatch',
  'ink', 'halo', 'sign', 'reach', 'battle', 'landing', 'choice',
  'hint', 'origin', 'edge',
] as const // prettier-ignore
export type MapColour = (typeof NAMES)[number]
export interface Palette {
  map: Record<MapColour, string>
  powers: Record<string, Paint>
  focus: string
  panel: string
  /** For the colour-blind: patterns on land, letters on counters. */
  safe: boolean
  dark: boolean
}

/** The colour of a mark. */
export function toneOf({ map }: Palette, tone: Mark['tone'] = ''): string {
  return { '': map.ink, good: map.reach, bad: map.battle, dim: map.sign }[tone]
}

/** The palette of the theme that is shown now. */
export function readPalette(): Palette {
  const theme = (document.documentElement.dataset.theme ?? 'light') as Theme
  const style = getComputedStyle(document.documentElement)
  const read = (name: string) => style.getPropertyValue(name).trim() || '#888888'
  return {
    map: Object.fromEntries(NAMES.map((name) => [name, read(`--map-${name}`)])) as Palette['map'],
    powers: Object.fromEntries(
      Object.entries(WORDS.colours).map(([word, colour]) => [word, colour[theme]]),
    ),
    focus: read('--focus'),
    panel: read('--panel'),
    safe: isSafe(),
    dark: theme.startsWith('dark'),
  }
}
