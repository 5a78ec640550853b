import { describe, expect, it } from 'vitest'
import type { Row } from '../lib/types'
import {
  chosen,
  filled,
  grouped,
  inWords,
  kept,
  proposed,
  room,
  standings,
  unspent,
} from './decide'

const row = (key: string, more: Partial<Row> = {}): Row => ({
  key,
  label: key,
  path: ['units', key],
  most: 5,
  ...more,
})

describe('the decision of a form', () => {
  it('has the numbers at their paths and leaves out what is not chosen', () => {
    const rows = [row('tank'), row('infantry'), row('damage', { path: ['repairs', 'germany'] })]
    const base = { kind: 'buy' }
    expect(filled(base, rows, { tank: 2, damage: 1, infantry: 0 })).toEqual({
      kind: 'buy',
      units: { tank: 2 },
      repairs: { germany: 1 },
    })
    expect(base).toEqual({ kind: 'buy' })
  })

  it('lists items once for each that is chosen, behind those of the base', () => {
    const rows = [
      row('a', { path: ['units'], item: 'ger_a', most: 1 }),
      row('b', { path: ['joins', '0'], item: 'ger_b' }),
    ]
    expect(filled({ kind: 'attack', units: ['x'] }, rows, { a: 1, b: 2 })).toEqual({
      kind: 'attack',
      units: ['x', 'ger_a'],
      joins: { '0': ['ger_b', 'ger_b'] },
    })
  })

  it('begins with what is proposed and keeps what still fits when the form is new', () => {
    expect(proposed([row('a', { value: 2 }), row('b')])).toEqual({ a: 2, b: 0 })
    expect(kept({ a: 4, gone: 1 }, [row('a', { most: 3 }), row('b', { value: 1 })])).toEqual({
      a: 3,
      b: 1,
    })
    expect(chosen({ a: 1, b: 0 })).toEqual({ a: 1 })
  })
})

describe('limits', () => {
  const rows = [row('infantry', { cost: 3 }), row('tank', { cost: 6 })]

  it('leave room for what is affordable', () => {
    const budget = { label: 'IPCs', most: 14, by_cost: true }
    expect(room(rows[0]!, rows, [budget], { tank: 1 })).toBe(2)
    expect(room(rows[1]!, rows, [budget], { tank: 1 })).toBe(1)
    expect(room(rows[1]!, rows, [budget], { tank: 2, infantry: 1 })).toBe(0)
  })

  it('are met, not reached or passed', () => {
    const hits = { label: 'Hits', least: 2, most: 2, weights: { tank: 2 } }
    const state = (tank: number) => standings([hits], rows, { tank, infantry: 4 })[0]!.state
    expect([state(0), state(1), state(2)]).toEqual(['under', 'met', 'over'])
  })

  it('of what is left count all with one label together, in whole units', () => {
    const ships = ['a', 'b', 'c'].map((key) => row(key, { label: key < 'c' ? 'U-boat' : 'Fleet' }))
    const upkeep = { label: 'Take', most: 9, weights: { a: 1, b: 1, c: 4 }, rest: 2 }
    const now = (numbers: object) => standings([upkeep], ships, { ...numbers })[0]!
    expect(now({})).toMatchObject({ now: 15, state: 'over' })
    expect(now({ a: 1, c: 3 })).toMatchObject({ now: 9, state: 'met' })
    expect(now({ a: 1, b: 1, c: 3 }).now).toBe(8)
    expect(room(ships[2]!, ships, [upkeep], { c: 3 })).toBe(2)
  })

  it('count every row once without weights', () => {
    const any = { label: 'Units', most: 3 }
    expect(standings([any], rows, { infantry: 2, tank: 2 })[0]).toMatchObject({
      now: 4,
      state: 'over',
    })
  })
})

it('groups stay in the order in which they come', () => {
  const names = grouped([{ group: 'b' }, {}, { group: 'b' }, { group: 'a' }]).map(([name]) => name)
  expect(names).toEqual(['b', '', 'a'])
})

it('what is chosen reads as words', () => {
  const rows = [row('Tank'), row('Luftwaffe', { most: 1 }), row('Infantry')]
  expect(inWords(rows, { Tank: 2, Luftwaffe: 1 })).toBe('2 × Tank, Luftwaffe')
  // In several places.
  const ships = ['a', 'b'].map((key) => row(key, { label: 'Battleship', most: 1 }))
  expect(inWords(ships, { a: 1, b: 1 })).toBe('2 × Battleship')
})

it('money that is left is worth a word if it could have bought something', () => {
  const [purse] = standings([{ label: 'IPCs', most: 20, by_cost: true, spare: 2 }], [], {})
  expect(unspent(purse)).toBe('20 IPCs are not spent.')
  expect(unspent({ ...purse!, now: 18 })).toBe('')
  expect(unspent({ ...purse!, limit: { label: 'IPCs', most: 20 } })).toBe('')
  expect(unspent(undefined)).toBe('')
})
