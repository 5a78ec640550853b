// My games: those that wait for me come first.

import type { GameInfo } from './types'

/** Whether a game waits for a decision of mine. */
export const waitsForMe = (game: GameInfo): boolean =>
  game.status === 'running' &&
  game.seats.some(
    (seat) => seat.mine && !seat.bot && seat.powers.some((power) => game.waiting.includes(power)),
  )

/** Games that wait for me first; else as they were. */
export const byTurn = (games: GameInfo[]): GameInfo[] =>
  [...games].sort((a, b) => Number(waitsForMe(b)) - Number(waitsForMe(a)))
