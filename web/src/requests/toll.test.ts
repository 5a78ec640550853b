import { expect, test } from 'vitest'
import type { Picture, Space } from '../lib/types'
import { toll } from './toll'

const picture = (spaces: Record<string, Space>): Picture => ({
  moment: { title: '', phase: '' },
  spaces,
})

test('what is gone is told by power, wherever the rest has gone', () => {
  const before = picture({
    egypt: { owner: 'uk', stacks: [{ power: 'uk', pieces: [{ symbol: 'tank', name: 'Tank' }] }] },
    libya: {
      owner: 'germany',
      stacks: [{ power: 'germany', pieces: [{ symbol: 'infantry', name: 'Infantry', count: 5 }] }],
    },
  })
  const after = picture({
    egypt: {
      owner: 'germany',
      stacks: [{ power: 'germany', pieces: [{ symbol: 'infantry', name: 'Infantry', count: 2 }] }],
    },
    libya: {
      owner: 'germany',
      stacks: [{ power: 'germany', pieces: [{ symbol: 'infantry', name: 'Infantry' }] }],
    },
  })
  expect(toll(before, after)).toEqual({
    lost: {
      uk: [{ symbol: 'tank', name: 'Tank', count: 1 }],
      germany: [{ symbol: 'infantry', name: 'Infantry', count: 2 }],
    },
    taken: ['egypt'],
  })
})

test('cargo goes down with its ship, and belongs to its own power', () => {
  const ship = {
    symbol: 'transport',
    name: 'Transport',
    count: 2,
    cargo: [{ symbol: 'infantry', name: 'Infantry', power: 'usa' }],
  }
  const before = picture({ sz1: { stacks: [{ power: 'uk', pieces: [ship] }] } })
  const after = picture({
    sz1: { stacks: [{ power: 'uk', pieces: [{ ...ship, count: 1, states: ['moved'] }] }] },
  })
  expect(toll(before, after).lost).toEqual({
    uk: [{ symbol: 'transport', name: 'Transport', count: 1 }],
    usa: [{ symbol: 'infantry', name: 'Infantry', count: 1 }],
  })
})
