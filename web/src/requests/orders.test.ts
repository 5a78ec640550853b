import { expect, it } from 'vitest'
import type { Line } from '../lib/types'
import { arrowsOf, leadingTo, ordersOf } from './orders'

const went = (text: string, ...path: string[]): Line => ({
  kind: 'moved',
  text,
  power: 'red',
  path,
  spaces: path,
})
const log: Line[] = [
  { kind: 'moved', text: 'of the last step', power: 'red' },
  { kind: 'phase', text: 'Combat move', level: 1 },
  went('one', 'a', 'b'),
  { kind: 'taken', text: 'one takes c on the way', power: 'red', spaces: ['c'] },
  { kind: 'said', text: 'of another', power: 'blue' },
  went('two', 'd', 'b'),
  went('three', 'e', 'f'),
]
const back = [
  { version: 7, lines: [0, 1] as [number, number] },
  { version: 9, lines: [2, 4] as [number, number] },
  { version: 11, lines: [5, 6] as [number, number] },
]
const orders = ordersOf(log, back, 'red')

it('each order of the step has its own lines and the version that takes it back', () => {
  expect(orders.map(({ version, lines }) => [version, lines.map((line) => line.text)])).toEqual([
    [9, ['one', 'one takes c on the way']],
    [11, ['two']],
    [null, ['three']],
  ])
})

it('a battle is taken back with all that leads to it, or not at all', () => {
  expect(leadingTo(orders, 'b')).toEqual([9, 11])
  expect(leadingTo(orders, 'f')).toBeNull()
  expect(leadingTo(orders, 'x')).toBeNull()
})

it('orders are arrows on the map, to battles and elsewhere', () => {
  expect(arrowsOf(orders, [{ space: 'b' }])).toEqual([
    { path: ['a', 'b'], kind: 'attack' },
    { path: ['d', 'b'], kind: 'attack' },
    { path: ['e', 'f'], kind: 'move' },
  ])
})
