import { describe, expect, it } from 'vitest'
import type { History } from '../lib/types'
import { byTurn, plot } from './chart'

const figures: History['figures'] = [
  { version: 0, title: 'Round 1', values: { Income: { a: 10, b: 20 } } },
  { version: 4, title: 'Round 1', values: { Income: { a: 12, b: 20 } } },
  { version: 9, title: 'Round 2', values: { Income: { a: 30, b: 20 } } },
]

describe('a chart', () => {
  it('has a line for each power, higher values higher up', () => {
    const { curves } = plot(figures, 'Income', ['a', 'b'], 200, 100)
    expect(curves.map((curve) => [curve.power, curve.last])).toEqual([
      ['a', 30],
      ['b', 20],
    ])
    expect(curves[0]!.y).toBeLessThan(curves[1]!.y)
    expect(curves[0]!.path).toMatch(/^M0,/)
  })

  it('marks where turns begin', () => {
    const { turns } = plot(figures, 'Income', ['a'], 200, 100)
    expect(turns.map((turn) => turn.text)).toEqual(['Round 1', 'Round 2'])
  })

  it('keeps the names of equal values apart', () => {
    const same = [{ version: 0, title: '', values: { F: { a: 5, b: 5, c: 5 } } }]
    const heights = plot(same, 'F', ['a', 'b', 'c'], 100, 100)
      .curves.map((curve) => curve.y)
      .sort((a, b) => a - b)
    expect(heights[1]! - heights[0]!).toBeGreaterThanOrEqual(13)
    expect(heights[2]!).toBeLessThanOrEqual(100)
  })

  it('leaves out a power without values, and survives no samples', () => {
    expect(plot(figures, 'Income', ['c'], 100, 100).curves).toEqual([])
    expect(plot([], 'Income', ['a'], 100, 100).curves).toEqual([])
  })

  it('has a table with the last value of each turn', () => {
    expect(byTurn(figures).map((sample) => sample.version)).toEqual([4, 9])
  })
})
