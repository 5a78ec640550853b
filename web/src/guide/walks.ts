// The guides that there are.

import type { GameStore } from '../lib/game.svelte'
import { germany } from './aa1942'
import { westernEurope } from './blitz'
import type { Walk } from './steps'

const WALKS: Walk[] = [germany, westernEurope]

/** The guide for what I play in this game, if there is one. */
export function walkFor(game: GameStore): Walk | null {
  const about = game.about
  if (!about) return null
  return WALKS.find((walk) => walk.fits(about) && (game.seatOf(walk.power)?.mine ?? false)) ?? null
}
