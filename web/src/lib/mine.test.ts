import { expect, it } from 'vitest'
import { byTurn, waitsForMe } from './mine'
import type { GameInfo, SeatInfo } from './types'

const seat = (powers: string[], more: Partial<SeatInfo> = {}) => ({ powers, bot: '', ...more })
const game = (id: string, waiting: string[], more: object = {}) =>
  ({
    id,
    status: 'running',
    waiting,
    seats: [seat(['red'], { mine: true }), seat(['blue'])],
    ...more,
  }) as unknown as GameInfo

it('a game waits for me when one of my powers has to decide', () => {
  expect(waitsForMe(game('a', ['red']))).toBe(true)
  expect(waitsForMe(game('a', ['blue']))).toBe(false)
  expect(waitsForMe(game('a', ['red'], { status: 'over' }))).toBe(false)
  const standIn = [seat(['red'], { mine: true, bot: 'greedy' })]
  expect(waitsForMe(game('a', ['red'], { seats: standIn }))).toBe(false)
})

it('games that wait for me come first, the others stay in their order', () => {
  const games = [game('a', []), game('b', ['red']), game('c', ['blue']), game('d', ['red'])]
  expect(byTurn(games).map((one) => one.id)).toEqual(['b', 'd', 'a', 'c'])
})
