// How the numbers of a form become a decision, and whether they are within its limits.

import type { Choice, Decision, Limit, Row } from '../lib/types'

/** Row key to the number that is chosen. */
export type Numbers = Record<string, number>

export function proposed(rows: readonly Row[]): Numbers {
  return Object.fromEntries(rows.map((row) => [row.key, row.value ?? 0]))
}

/** The numbers for rows that may have changed since: what no longer exists is gone. */
export function kept(numbers: Numbers, rows: readonly Row[]): Numbers {
  return Object.fromEntries(
    rows.map((row) => [row.key, Math.min(numbers[row.key] ?? row.value ?? 0, row.most)]),
  )
}

/** Only the rows that are chosen: what a reach is asked for. */
export function chosen(numbers: Numbers): Numbers {
  return Object.fromEntries(Object.entries(numbers).filter(([, number]) => number > 0))
}

/** What is chosen, less some of it. */
export function without(numbers: Numbers, some: Numbers = {}): Numbers {
  return Object.fromEntries(
    Object.entries(numbers).map(([key, number]) => [key, number - (some[key] ?? 0)]),
  )
}

export function count(numbers: Numbers): number {
  return Object.values(numbers).reduce((sum, number) => sum + number, 0)
}

/** `base` with the numbers of the rows put in at their paths. */
export function filled(base: Decision, rows: readonly Row[], numbers: Numbers): Decision {
  const decision = structuredClone(base) as Record<string, unknown>
  for (const row of rows) {
    const number = numbers[row.key] ?? 0
    if (number <= 0) continue
    let at = decision
    for (const step of row.path.slice(0, -1)) {
      at[step] ??= {}
      at = at[step] as Record<string, unknown>
    }
    const last = row.path[row.path.length - 1]
    if (last === undefined) continue
    if (row.item === undefined || row.item === null) {
      at[last] = number
    } else {
      const items = (at[last] ??= []) as unknown[]
      for (let time = 0; time < number; time++) items.push(structuredClone(row.item))
    }
  }
  return decision as Decision
}

function weight(limit: Limit, row: Row): number {
  if (limit.by_cost) return row.cost ?? 0
  return limit.weights ? (limit.weights[row.key] ?? 0) : 1
}

export function total(limit: Limit, rows: readonly Row[], numbers: Numbers): number {
  if (limit.rest) return left(limit, limit.rest, rows, numbers)
  return rows.reduce((sum, row) => sum + weight(limit, row) * (numbers[row.key] ?? 0), 0)
}

/** What is not chosen, those of one label together, in units of so much, rounded up. */
function left(limit: Limit, unit: number, rows: readonly Row[], numbers: Numbers): number {
  const sums = new Map<string, number>()
  for (const row of rows) {
    const rest = weight(limit, row) * (row.most - (numbers[row.key] ?? 0))
    sums.set(row.label, (sums.get(row.label) ?? 0) + rest)
  }
  return [...sums.values()].reduce((sum, one) => sum + Math.ceil(one / unit), 0)
}

export interface Standing {
  limit: Limit
  now: number
  state: 'under' | 'met' | 'over'
}

/** Where the numbers stand against each limit. */
export function standings(
  limits: readonly Limit[],
  rows: readonly Row[],
  numbers: Numbers,
): Standing[] {
  return limits.map((limit) => {
    const now = total(limit, rows, numbers)
    const state = now < (limit.least ?? 0) ? 'under' : now > limit.most ? 'over' : 'met'
    return { limit, now, state }
  })
}

/** What is left of a budget, as a sentence, if it is worth a word. */
export function unspent(one: Standing | undefined): string {
  const { spare } = one?.limit ?? {}
  if (!one || spare === undefined || spare === null) return ''
  const left = one.limit.most - one.now
  return left > spare ? `${left} ${one.limit.label} are not spent.` : ''
}

/** How many more of a row there is room for, by its own number and the limits. */
export function room(
  row: Row,
  rows: readonly Row[],
  limits: readonly Limit[],
  numbers: Numbers,
): number {
  let most = row.most - (numbers[row.key] ?? 0)
  for (const limit of limits) {
    // The more is chosen of these, the less is left.
    if (limit.rest) continue
    const each = weight(limit, row)
    if (each > 0)
      most = Math.min(most, Math.floor((limit.most - total(limit, rows, numbers)) / each))
  }
  return Math.max(0, most)
}

/** Things under their headings, both in the order in which they come. */
export function grouped<T extends { group?: string }>(things: readonly T[]): [string, T[]][] {
  const groups = new Map<string, T[]>()
  for (const thing of things) {
    const name = thing.group ?? ''
    const group = groups.get(name)
    if (group) group.push(thing)
    else groups.set(name, [thing])
  }
  return [...groups]
}

/** What is chosen, in words: `2 × Infantry, 1 × Tank`; what is called the same is counted together. */
export function inWords(rows: readonly Row[], numbers: Numbers): string {
  const found = new Map<string, { number: number; lone: boolean }>()
  for (const row of rows) {
    const number = numbers[row.key] ?? 0
    if (!number) continue
    const same = found.get(row.label)
    found.set(row.label, {
      number: (same?.number ?? 0) + number,
      lone: !same && row.most === 1,
    })
  }
  return [...found]
    .map(([label, { number, lone }]) => (lone ? label : `${number} × ${label}`))
    .join(', ')
}

/** The decision that a choice stands for, with its rows filled in. */
export function decisionOf(choice: Choice, numbers: Numbers): Decision {
  return filled(choice.decision, choice.rows ?? [], numbers)
}
