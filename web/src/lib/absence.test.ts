import { expect, test } from 'vitest'
import { duration, forMe, overdueAt, patience } from './absence'
import type { About, GameInfo, SeatInfo } from './types'

const NOW = Date.parse('2026-01-01T12:00:00Z')
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()

const seat = (more: Partial<SeatInfo>) =>
  ({
    number: 1,
    powers: ['germany'],
    kind: 'person',
    player: 'Ben',
    mine: false,
    online: false,
    bot: '',
    since: ago(4),
    away: ago(3),
    deadline: null,
    ...more,
  }) as SeatInfo
const table = (clock: GameInfo['clock'], ...seats: SeatInfo[]) =>
  ({ clock, seats, you: ['Anna'] }) as GameInfo
const about = {
  powers: [
    { id: 'germany', side: 'axis' },
    { id: 'japan', side: 'axis' },
    { id: 'france', side: 'allies' },
  ],
} as About

test('without a clock a bot may play on ten minutes after the person has gone', () => {
  const ben = seat({})
  expect(overdueAt(table(null), ben)).toBe(NOW + 7 * 60_000)
  expect(patience(table(null), ben, NOW)).toBe(
    'Ben is away. In 7 min their side can let a bot play on.',
  )
  expect(patience(table(null), ben, NOW + 7 * 60_000)).toContain('can let a bot play on')
  // Who is there may think as long as they like.
  expect(patience(table(null), seat({ online: true }), NOW)).toBe('')
  // Who went long before it was their turn is waited for as long.
  expect(overdueAt(table(null), seat({ away: ago(600) }))).toBe(NOW + 6 * 60_000)
})

test('with a clock the time left counts, whether or not the person is there', () => {
  const clock = { hours: 24, then: 'bot' as const }
  const ben = seat({ online: true, deadline: ago(-80) })
  expect(patience(table(clock), ben, NOW)).toBe('Ben has 1 h 20 min left, then a bot plays on.')
  expect(patience(table(clock), { ...ben, mine: true }, NOW)).toBe(
    'You have 1 h 20 min left, then a bot plays on.',
  )
  expect(patience(table(clock), ben, NOW + 81 * 60_000)).toBe('The time of Ben is up.')
  expect(patience(table(clock), seat({ bot: 'greedy' }), NOW)).toBe('')
})

test('only those on the same side are asked', () => {
  const friend = seat({ number: 0, powers: ['japan'], mine: true, player: 'Anna' })
  const enemy = seat({ number: 0, powers: ['france'], mine: true, player: 'Anna' })
  expect(forMe(table(null, friend, seat({})), about, seat({}))).toBe(true)
  expect(forMe(table(null, enemy, seat({})), about, seat({}))).toBe(false)
})

test('lengths of time are words', () => {
  expect([500, 61_000, 7_200_000, 3 * 86_400_000 + 3_600_000].map(duration)).toEqual([
    '1 s',
    '2 min',
    '2 h',
    '3 days 1 h',
  ])
})
