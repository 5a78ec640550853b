// Which counter of a group is under the pointer.

import type { Chip } from '../lib/table.svelte'
import type { Stack } from '../lib/types'
import { countersOf, counterWidth, type Counter, type Group } from './layout'

/** The counter nearest to a point, given from the anchor of the group; null where one counter stands
 *  for pieces of several kinds. */
export function chipAt(group: Group, stacks: Stack[], x: number, y: number): Chip | null {
  let found: Counter | null = null
  let least = Infinity
  for (const { dx, dy, counter } of group.placed) {
    const far = Math.hypot(
      x - (dx + counterWidth(counter, group.side) / 2),
      y - (dy + group.side / 2),
    )
    if (far < least) [least, found] = [far, counter]
  }
  if (!found) return null
  const { power, symbol, size, states, cargo } = found
  const mixed = stacks.some((stack) => stack.power === power && countersOf([stack]).length > 1)
  if (group.sum && mixed) return null
  return { symbol, power, size, states, loaded: cargo.length > 0 }
}
