// The orders of the step that is under way, as the log tells of them, and which battles they lead to.

import type { Arrow } from '../lib/table.svelte'
import type { Back, Line, Prospect } from '../lib/types'

export interface Order {
  /** What takes exactly this one back; null if nothing does any more. */
  version: number | null
  lines: Line[]
}

/** The orders of `power` since the step began, the oldest first. */
export function ordersOf(log: readonly Line[], back: readonly Back[], power: string): Order[] {
  const start = log.findLastIndex((line) => (line.level ?? 2) < 2) + 1
  const orders: Order[] = []
  for (let at = start; at < log.length;) {
    const mine = back.find(({ lines: [from, to] }) => from <= at && at < to)
    const end = mine ? mine.lines[1] : at + 1
    const lines = log.slice(at, end).filter((line) => line.power === power)
    if (lines.length) orders.push({ version: mine?.version ?? null, lines })
    at = end
  }
  return orders
}

/** The last place that an order leads to. */
function goals(order: Order): string[] {
  return order.lines.flatMap((line) =>
    line.path?.length ? [line.path[line.path.length - 1]!] : (line.spaces ?? []),
  )
}

/** The versions that take a battle back: all that leads to it. Null if that cannot be any more. */
export function leadingTo(orders: readonly Order[], space: string): number[] | null {
  const found = orders.filter((order) => goals(order).includes(space))
  const versions = found.flatMap(({ version }) => (version === null ? [] : [version]))
  return versions.length && versions.length === found.length ? versions : null
}

/** What the orders look like on the map. */
export function arrowsOf(orders: readonly Order[], battles: readonly Prospect[]): Arrow[] {
  return orders.flatMap((order) =>
    order.lines.flatMap(({ path = [] }): Arrow[] => {
      if (path.length < 2) return []
      const fights = battles.some(({ space }) => space === path[path.length - 1])
      return [{ path, kind: fights ? 'attack' : 'move' }]
    }),
  )
}
