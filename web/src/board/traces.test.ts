import { expect, test } from 'vitest'
import type { Line } from '../lib/types'
import { tracesOf } from './traces'

const line = (power: string, path: string[], deed?: 'battle' | 'taken'): Line => ({
  kind: 'made up',
  text: '',
  power,
  path,
  deed,
})
const turn: Line = { kind: 'turn_began', text: '', level: 0 }
const ends = (log: Line[], mine: string[]) => tracesOf(log, mine).map((each) => each.path.join('-'))

test('what others did since my last move is traced, oldest first', () => {
  const log = [line('me', ['a', 'b']), line('x', ['b', 'c']), turn, line('y', ['c', 'd'])]
  expect(ends(log, ['me'])).toEqual(['b-c', 'c-d'])
})

test('what I do now does not wipe it out, and is not traced', () => {
  const log = [line('me', ['a', 'b']), turn, line('x', ['b', 'c']), turn, line('me', ['c', 'd'])]
  expect(ends(log, ['me'])).toEqual(['b-c'])
})

test('the same way twice is one trace', () => {
  const log = [line('x', ['a', 'b']), line('x', ['a', 'c', 'b']), line('y', ['a', 'b'])]
  expect(ends(log, ['me'])).toEqual(['a-c-b', 'a-b'])
})

test('a deed has a trace in one space, other lines without a way have none', () => {
  const log = [line('x', ['a'], 'taken'), line('x', ['b']), line('x', [])]
  expect(tracesOf(log, ['me'])).toEqual([{ path: ['a'], deed: 'taken', power: 'x' }])
})

test('who only watches sees the last turn', () => {
  const log = [line('x', ['a', 'b']), turn, line('y', ['b', 'c']), turn]
  expect(ends(log, [])).toEqual(['b-c'])
})
