import { expect, it } from 'vitest'
import { along } from './march'

it('units march along their whole way', () => {
  const way: [number, number][] = [
    [0, 0],
    [10, 0],
    [10, 30],
  ]
  expect([0, 0.125, 0.5, 1].map((part) => along(way, part))).toEqual([
    [0, 0],
    [5, 0],
    [10, 10],
    [10, 30],
  ])
  expect(along([], 0.5)).toBe(null)
  expect(along([[3, 4]], 0.5)).toEqual([3, 4])
})
