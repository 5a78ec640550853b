import { expect, it } from 'vitest'
import { chipAt } from './drag'
import { countersOf, type Group } from './layout'
import type { Stack } from '../lib/types'

const stacks: Stack[] = [
  {
    power: 'red',
    pieces: [
      { symbol: 'infantry', name: 'Infantry', count: 3 },
      { symbol: 'transport', name: 'Transport', cargo: [{ symbol: 'tank', name: 'Tank' }] },
    ],
  },
]
const group = (sum: boolean, counters = countersOf(stacks)): Group => ({
  id: 'a',
  x: 0,
  y: 0,
  box: [-30, -10, 60, 20],
  side: 20,
  sum,
  placed: counters.map((counter, at) => ({ dx: -30 + 30 * at, dy: -10, counter })),
})

it('a counter is found where it lies, and the nearest one between two', () => {
  const red = { power: 'red', size: 0, states: [] }
  expect(chipAt(group(false), stacks, -25, 0)).toEqual({
    symbol: 'infantry',
    loaded: false,
    ...red,
  })
  expect(chipAt(group(false), stacks, 15, 5)).toEqual({ symbol: 'transport', loaded: true, ...red })
  expect(chipAt(group(false), stacks, -8, 0)?.symbol).toBe('infantry')
})

it('a pile of several kinds is no counter of one of them', () => {
  expect(chipAt(group(true), stacks, -25, 0)).toBeNull()
  const alike: Stack[] = [{ power: 'red', pieces: stacks[0]!.pieces.slice(0, 1) }]
  expect(chipAt(group(true, countersOf(alike)), alike, -25, 0)?.symbol).toBe('infantry')
})
