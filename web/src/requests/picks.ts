// What of a stack is picked up: by clicks on its counters, and by dragging them.

import type { Chip } from '../lib/table.svelte'
import type { Mover, Row } from '../lib/types'
import type { Numbers } from './decide'

/** What moves by itself. */
export const main = (mover: Mover): Row[] => mover.rows.filter((row) => !row.cargo)

/** The row that a counter of the map stands for: of those with its symbol that which is most like
 *  it. */
export function rowOf(chip: Chip, rows: readonly Row[], power: string): Row | undefined {
  const alike = (row: Row) => {
    const states = row.states ?? []
    return (
      Number((row.size ?? 0) === chip.size) * 4 +
      Number(((row.aboard ?? 0) > 0 || states.includes('loaded')) === chip.loaded) * 2 -
      chip.states.filter((state) => !states.includes(state)).length / 8
    )
  }
  return rows
    .filter((row) => row.symbol === chip.symbol && (row.power || power) === chip.power)
    .sort((a, b) => alike(b) - alike(a))[0]
}

/** Everything that moves from there by itself. */
export function everything(mover: Mover): Numbers {
  return Object.fromEntries(main(mover).map((row) => [row.key, row.most]))
}

/** What a drag takes: the selection if the counter is among it, else all of its kind; the whole
 *  stack if that is wanted, or if the counter stands for several kinds. */
export function lifted(
  mover: Mover,
  chip: Chip | null,
  whole: boolean,
  before: Numbers,
  power: string,
): { numbers: Numbers; whole: boolean } {
  const rows = main(mover)
  const row = chip ? rowOf(chip, rows, power) : mover.single ? rows[0] : undefined
  if (!row || (whole && !mover.single)) return { numbers: everything(mover), whole: true }
  const numbers = before[row.key] ? before : { [row.key]: row.most }
  return { numbers, whole: false }
}

/** Whether all of these units are told to go by one decision. */
export function together(rows: readonly Row[], numbers: Numbers): boolean {
  const groups = rows.filter((row) => !row.cargo && (numbers[row.key] ?? 0) > 0)
  return new Set(groups.map((row) => row.group ?? '')).size < 2
}
