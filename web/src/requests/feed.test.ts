import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Battle, Line } from '../lib/types'
import { Feed } from './feed.svelte'

vi.mock('../lib/motion', () => ({ reducedMotion: () => still }))
let still = false

const battle = (space: string): Battle => ({ space, title: space, round: 1, step: '', sides: [] })
const said = (text: string): Line => ({ kind: 'said', text })
const rolled = (text: string): Line => ({
  kind: 'rolled',
  text,
  throws: [{ label: 'x', faces: [1] }],
})

beforeEach(() => {
  still = false
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

it('what fell before the page was opened is not rolled again', () => {
  const feed = new Feed()
  feed.take([said('a'), rolled('b')], battle('poland'))
  expect([feed.shown, feed.busy]).toEqual([2, false])
})

it('dice come one roll after the other, and text without dice at once', () => {
  const feed = new Feed()
  feed.take([], null)
  feed.take([said('begins'), rolled('attack'), rolled('defence'), said('lost')], battle('poland'))
  expect([feed.shown, feed.rolling]).toEqual([2, true])
  vi.advanceTimersByTime(500)
  expect([feed.shown, feed.rolling]).toEqual([2, false])
  vi.advanceTimersByTime(2000)
  expect([feed.shown, feed.rolling, feed.busy]).toEqual([4, false, false])
})

it('everything is there at once with reduced motion', () => {
  still = true
  const feed = new Feed()
  feed.take([], null)
  feed.take([rolled('attack'), rolled('defence')], battle('poland'))
  expect([feed.shown, feed.busy]).toEqual([2, false])
})

it('a battle that is over stays for a moment', () => {
  const feed = new Feed()
  const first = [rolled('attack')]
  feed.take([], null)
  feed.take(first, battle('poland'))
  vi.advanceTimersByTime(3000)
  feed.take([...first, said('over')], null)
  expect(feed.battle?.space).toBe('poland')
  expect(feed.running).toBe(false)
  vi.advanceTimersByTime(10_000)
  expect(feed.battle).toBe(null)
  expect(feed.lines).toEqual([])
})

it('another battle begins with an empty board, and so does what an undo leaves', () => {
  const feed = new Feed()
  const log = [rolled('first')]
  feed.take([], null)
  feed.take(log, battle('poland'))
  feed.take([...log, said('second')], battle('paris'))
  expect(feed.lines.map((line) => line.text)).toEqual(['second'])
  feed.take(log, battle('paris'))
  expect(feed.lines).toEqual([])
})

it('dice outside of battles are shown, text is not', () => {
  const feed = new Feed()
  const log = [said('moved')]
  feed.take([], null)
  feed.take(log, null)
  expect(feed.lines).toEqual([])
  feed.take([...log, said('tries'), rolled('research')], null)
  expect(feed.lines.map((line) => line.text)).toEqual(['research'])
})
