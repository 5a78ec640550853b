import { expect, it } from 'vitest'
import type { Chip } from '../lib/table.svelte'
import type { Mover, Row } from '../lib/types'
import { everything, lifted, rowOf, together } from './picks'

const row = (key: string, most: number, more: Partial<Row> = {}): Row => ({
  key,
  label: key,
  path: ['units', key],
  most,
  symbol: key,
  ...more,
})
const chip = (symbol: string, more: Partial<Chip> = {}): Chip => ({
  symbol,
  power: 'red',
  size: 0,
  states: [],
  loaded: false,
  ...more,
})
const mover: Mover = {
  space: 'a',
  rows: [
    row('infantry', 3, { group: 'Land' }),
    row('fighter', 2, { group: 'Air' }),
    row('transport', 1, { group: 'Sea', holds: 2 }),
    row('laden', 1, { group: 'Sea', symbol: 'transport', holds: 2, aboard: 1 }),
    row('load', 4, { symbol: 'tank', cargo: true }),
  ],
}

it('a counter stands for the row that is most like it', () => {
  expect(rowOf(chip('transport'), mover.rows, 'red')?.key).toBe('transport')
  expect(rowOf(chip('transport', { loaded: true }), mover.rows, 'red')?.key).toBe('laden')
  expect(rowOf(chip('fighter', { states: ['moved'] }), mover.rows, 'red')?.key).toBe('fighter')
  expect(rowOf(chip('infantry', { power: 'blue' }), mover.rows, 'red')).toBeUndefined()
  const sized = [row('two', 1, { symbol: 'army', size: 2 }), row('four', 1, { symbol: 'army', size: 4 })] // prettier-ignore
  expect(rowOf(chip('army', { size: 4 }), sized, 'red')?.key).toBe('four')
})

it('a counter drags its own kind, with Shift the whole stack, a chosen one the selection', () => {
  const all = { infantry: 3, fighter: 2, transport: 1, laden: 1 }
  const drag = (one: Chip | null, whole: boolean, before = {}) =>
    lifted(mover, one, whole, before, 'red')
  expect(drag(chip('infantry'), false)).toEqual({ numbers: { infantry: 3 }, whole: false })
  expect(drag(chip('infantry'), true)).toEqual({ numbers: all, whole: true })
  expect(drag(null, false)).toEqual({ numbers: all, whole: true })
  expect(everything(mover)).toEqual(all)
  const before = { infantry: 1, fighter: 1 }
  expect(drag(chip('infantry'), false, before)).toEqual({ numbers: before, whole: false })
  expect(drag(chip('transport'), false, before)).toEqual({
    numbers: { transport: 1 },
    whole: false,
  })
  const single = { ...mover, single: true }
  expect(lifted(single, null, true, {}, 'red')).toEqual({ numbers: { infantry: 3 }, whole: false })
})

it('units of several groups do not go by one decision', () => {
  expect(together(mover.rows, { infantry: 2, load: 1 })).toBe(true)
  expect(together(mover.rows, { infantry: 2, fighter: 1 })).toBe(false)
})
