import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Line, Picture, Space } from '../lib/types'
import { Feed } from './feed.svelte'

const quiet = (spaces: Record<string, Space> = {}): Picture => ({
  moment: { title: '', phase: '' },
  spaces,
})
/** A battle of so many infantry against a tank. */
const battle = (space: string, infantry = 3): Picture => {
  const stacks = [
    { power: 'germany', pieces: [{ symbol: 'infantry', name: 'Infantry', count: infantry }] },
    { power: 'uk', pieces: [{ symbol: 'tank', name: 'Tank' }] },
  ]
  const sides = stacks.map((stack) => ({ title: '', power: stack.power, stacks: [stack] }))
  return {
    ...quiet({ [space]: { stacks } }),
    battle: { space, title: space, round: 1, step: '', sides },
  }
}
const said = (text: string): Line => ({ kind: 'said', text })
const rolled = (text: string): Line => ({
  kind: 'rolled',
  text,
  throws: [{ label: 'x', faces: [1] }],
})

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

it('a page that is opened in the middle of a battle shows what has fallen', () => {
  const feed = new Feed()
  feed.take([said('a'), rolled('b')], battle('poland'))
  expect(feed.lines.map((line) => line.text)).toEqual(['a', 'b'])
})

it('a battle that is over stays for a moment', () => {
  const feed = new Feed()
  const first = [rolled('attack')]
  feed.take([], quiet())
  feed.take(first, battle('poland'))
  vi.advanceTimersByTime(3000)
  feed.take([...first, said('over')], quiet())
  expect(feed.battle?.space).toBe('poland')
  expect(feed.running).toBe(false)
  vi.advanceTimersByTime(10_000)
  expect(feed.battle).toBe(null)
  expect(feed.lines).toEqual([])
})

it('what the next phase brings does not come onto the board of a battle that is over', () => {
  const feed = new Feed()
  const log = [rolled('attack')]
  const turnEnd: Line = { kind: 'phase', text: 'turn end', level: 1 }
  feed.take([], quiet())
  feed.take(log, battle('poland'))
  feed.take([...log, said('repelled'), turnEnd, rolled('partisans')], quiet())
  expect(feed.lines.map((line) => line.text)).toEqual(['attack', 'repelled'])
})

it('another battle begins with an empty board, and so does what an undo leaves', () => {
  const feed = new Feed()
  const log = [rolled('first')]
  feed.take([], quiet())
  feed.take(log, battle('poland'))
  feed.take([...log, said('second')], battle('paris'))
  expect(feed.lines.map((line) => line.text)).toEqual(['second'])
  feed.take(log, battle('paris'))
  expect(feed.lines).toEqual([])
})

it('dice outside of battles are shown, text is not', () => {
  const feed = new Feed()
  const log = [said('moved')]
  feed.take([], quiet())
  feed.take(log, quiet())
  expect(feed.lines).toEqual([])
  const next: Line = { kind: 'phase', text: 'the next phase', level: 1 }
  const [phase, done] = [{ ...next, text: 'Research' }, said('found')]
  feed.take([...log, phase, said('tries'), rolled('research'), done, next], quiet())
  expect(feed.lines.map((line) => line.text)).toEqual(['research', 'found'])
  expect(feed.heading).toBe('Research')
})

it('a battle that is over shows who is left and what it has cost', () => {
  const feed = new Feed()
  const log = [rolled('attack')]
  const before = battle('poland', 3)
  const after = quiet({
    poland: { stacks: battle('poland', 2).spaces.poland!.stacks!.slice(0, 1) },
  })
  feed.take([], quiet(before.spaces))
  feed.take(log, before)
  feed.take([...log, said('over')], after)
  const [attacker, defender] = feed.battle!.sides
  expect(attacker!.stacks[0]!.pieces[0]!.count).toBe(2)
  expect(attacker!.lost![0]!.pieces[0]!.count).toBe(1)
  expect(defender!.stacks).toEqual([])
  expect(defender!.lost![0]!.pieces[0]!.name).toBe('Tank')
})

it('what a battle has cost is not counted again in the next one', () => {
  const feed = new Feed()
  const log = [rolled('attack'), said('over'), rolled('attack'), said('over')]
  const poland = { poland: battle('poland', 2).spaces.poland! }
  const first = battle('paris', 3)
  const between = { ...poland, paris: { stacks: [] } }
  feed.take([], quiet({ ...first.spaces, ...poland }))
  feed.take(log.slice(0, 1), { ...first, spaces: { ...first.spaces, ...poland } })
  feed.take(log.slice(0, 2), quiet(between))
  feed.take(log.slice(0, 3), { ...battle('poland', 2), spaces: between })
  const left = { stacks: battle('poland', 1).spaces.poland!.stacks!.slice(0, 1) }
  feed.take(log, quiet({ ...between, poland: left }))
  expect(feed.battle!.space).toBe('poland')
  expect(feed.battle!.sides[0]!.lost![0]!.pieces[0]!.count).toBe(1)
})
