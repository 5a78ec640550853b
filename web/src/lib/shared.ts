// Several people at one screen: nobody there is "you".

import type { GameStore } from './game.svelte'

/** Whether several people sit at this screen. */
export const isShared = (game: GameStore): boolean => (game.info?.you.length ?? 0) > 1

/** Whose turn it is, to be said to those at this screen. */
export const turnOf = (game: GameStore): string =>
  isShared(game) && game.asked ? `${game.name(game.asked)}’s turn` : 'Your turn'

/** The person at this screen to hand over to, because another power's turn has begun; '' if it is
 *  still, or again, for whoever sat here `before`. Who only answers in another's turn, for instance
 *  as a defender, reaches over. */
export function nextPerson(game: GameStore, before: string): string {
  const turn = game.picture?.moment.power
  if (!isShared(game) || !turn || game.picture?.moment.secret || game.asked !== turn) return ''
  const person = game.seatOf(turn)?.player ?? ''
  return person === before ? '' : person
}
