// The guides that there are.

import type { GameStore } from '../lib/game.svelte'
import { germany } from './aa1942'
import { westernEurope } from './blitz'
import type { About } from '../lib/types'
import type { Walk } from './steps'

const WALKS: Walk[] = [germany, westernEurope]

/** The guide for whoever plays some powers of a game, if there is one. */
export function walkOf(about: About | null, plays: (power: string) => boolean): Walk | null {
  return (about && WALKS.find((walk) => walk.fits(about) && plays(walk.power))) ?? null
}

/** The guide for what I play in this game, if there is one. */
export const walkFor = (game: GameStore): Walk | null =>
  walkOf(game.about, (power) => game.seatOf(power)?.mine ?? false)
