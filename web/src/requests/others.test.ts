import { expect, it } from 'vitest'
import type { Row } from '../lib/types'
import { others } from './others'

const row = (key: string, symbol: string): Row => ({
  key,
  label: key,
  path: [],
  most: 1,
  symbol,
  power: 'germany',
})

it('what cannot be picked stands beside it: unique pieces by their id, others by their kind', () => {
  const space = {
    stacks: [
      {
        power: 'germany',
        pieces: [
          { symbol: 'air_force', name: 'Luftwaffe', id: 'ger_luftwaffe' },
          { symbol: 'armour', name: '1st Panzer', id: 'ger_1st' },
          { symbol: 'infantry', name: 'Infantry', count: 3 },
          { symbol: 'artillery', name: 'Artillery' },
        ],
      },
    ],
  }
  const rows = [row('ger_luftwaffe', 'air_force'), row('infantry', 'infantry')]
  expect(others(space, rows).map((one) => one.piece.name)).toEqual(['1st Panzer', 'Artillery'])
  expect(others(undefined, rows)).toEqual([])
})
