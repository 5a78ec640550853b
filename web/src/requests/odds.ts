// Odds are asked for one after the other: a list of battles must not keep the server from what the
// player does meanwhile.

import type { GameStore } from '../lib/game.svelte'
import type { Decision, Odds } from '../lib/types'

let last: Promise<unknown> = Promise.resolve()
const known = new Map<string, Odds | null>()

/** The odds in `space`, null if there are none; `wanted` false by the time it is their turn: null. */
export function askOdds(
  game: GameStore,
  space: string,
  decision: Decision | undefined,
  wanted: () => boolean,
  /** Decisions that follow it. */
  then: Decision[] = [],
): Promise<Odds | null> {
  if (!game.seated) return Promise.resolve(null) // odds are for those who play
  const decisions = decision ? [decision, ...then] : []
  const key = `${game.id} ${game.version} ${space} ${JSON.stringify(decisions)}`
  const found = known.get(key)
  if (found !== undefined) return Promise.resolve(found)
  const answer = last.then(async () => {
    // What was thought about in the position before is over.
    if (!wanted() || (decision && (game.busy || !game.settled))) return null
    let odds: Odds | null
    try {
      odds = await game.odds(space, ...decisions)
    } catch {
      return null // not worth remembering: the server was busy or away
    }
    if (known.size > 200) known.clear()
    known.set(key, odds)
    return odds
  })
  last = answer
  return answer
}

/** A chance as it is written. */
export function percent(chance: number): string {
  if (chance > 0 && chance < 0.005) return '<1 %'
  if (chance < 1 && chance > 0.995) return '>99 %'
  return `${Math.round(chance * 100)} %`
}

/** How a chance looks to whom it is good for. */
export function tone(chance: number): 'good' | 'fair' | 'bad' {
  return chance >= 0.75 ? 'good' : chance >= POOR ? 'fair' : 'bad'
}

/** Below it a battle is more of a sacrifice. */
export const POOR = 0.4
