// An order sheet: orders that wait until the step ends, so that they can be changed.

import { keep, recall } from '../lib/storage'
import type { Choice, Decision, Item } from '../lib/types'
import { decisionOf } from './decide'

/** An order that has not been given yet. */
export interface Order {
  /** The line of the sheet that it raises; '' for what is no line of it. */
  item: string
  label: string
  detail: string
  decision: Decision
}

/** The order that a choice stands for: of what is counted, one. */
export function orderOf(choice: Choice): Order {
  const rows = choice.rows ?? []
  const ones = Object.fromEntries(rows.map((row) => [row.key, 1]))
  return {
    item: choice.item ?? '',
    label: choice.label,
    detail: choice.detail ?? '',
    decision: decisionOf(choice, ones),
  }
}

/** The choices that raise a line. */
export const raising = (item: Item, choices: readonly Choice[]): Choice[] =>
  choices.filter((choice) => choice.item === item.key)

/** The choices that are no lines of the sheet: they stand beside it. A heading under which lines
 *  are raised has nothing else. */
export function beside(choices: readonly Choice[]): Choice[] {
  const lines = new Set(choices.filter((one) => one.item).map((one) => one.group ?? ''))
  return choices.filter((one) => !one.item && !lines.has(one.group ?? ''))
}

/** A line of the list of orders: how often, and where its orders stand. */
export interface Listed {
  label: string
  detail: string
  times: number
  at: number[]
}

/** The orders as a list: what raises the same line is one, under its last words; what is counted is
 *  counted. */
export function listed(orders: readonly Order[]): Listed[] {
  const found = new Map<string, Listed>()
  orders.forEach((order, at) => {
    const key = order.item ? `${order.item}` : `${at}`
    const before = found.get(key)
    found.set(key, {
      label: order.label,
      detail: order.detail,
      times: before && before.label === order.label ? before.times + 1 : 1,
      at: [...(before?.at ?? []), at],
    })
  })
  return [...found.values()]
}

/** The orders without the last one of a line. */
export function lowered(orders: readonly Order[], item: string): Order[] {
  const last = orders.findLastIndex((order) => order.item === item)
  return orders.filter((_, at) => at !== last)
}

const keyOf = (game: string, power: string) => `sandtable.orders.${game}.${power}`

/** Remember the orders of a power, also when the page is loaded again. `step` tells what they are
 *  for. */
export function keepOrders(game: string, power: string, step: string, orders: Order[]): void {
  keep(keyOf(game, power), orders.length ? JSON.stringify({ step, orders }) : '')
}

/** The orders that a power was about to give in this step. */
export function recallOrders(game: string, power: string, step: string): Order[] {
  const kept = recall(keyOf(game, power))
  if (!kept) return []
  const found = JSON.parse(kept) as { step: string; orders: Order[] }
  return found.step === step ? found.orders : []
}
