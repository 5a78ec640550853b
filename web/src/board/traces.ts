// What others have done since one has moved oneself: the map shows where their units went, where
// they fought and what they took.

import type { Deed, Line } from '../lib/types'

export interface Trace {
  /** The way of units, or the one space of the deed. */
  path: string[]
  deed: Deed
  power: string
}

/** More would hide the map. */
const MOST = 60

/** The traces that whoever runs `mine` wants to see, oldest first: everything since the last move of
 *  their own, but what they do now does not wipe it out. Who only watches sees the last turn. */
export function tracesOf(log: Line[], mine: string[]): Trace[] {
  const found = new Map<string, Trace>()
  for (let i = log.length - 1; i >= 0 && found.size < MOST; i--) {
    const { path = [], deed = '', power = '', level } = log[i]!
    if (level === 0 && !mine.length && found.size) break
    if (path.length < 2 && !(path.length && deed)) continue
    if (mine.includes(power)) {
      if (found.size) break
      continue
    }
    const key = [power, deed, path[0], path[path.length - 1]].join(' ')
    if (!found.has(key)) found.set(key, { path, deed, power })
  }
  return [...found.values()].reverse()
}
