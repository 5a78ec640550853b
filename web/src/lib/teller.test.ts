import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { gone, pace, Teller, type Frame } from './teller.svelte'
import type { Line, Picture, Piece } from './types'

vi.mock('./motion', () => ({ reducedMotion: () => false }))

const army = (power: string, ...pieces: Piece[]) => ({ stacks: [{ power, pieces }] })
const infantry = (count: number): Piece => ({ symbol: 'infantry', name: 'Infantry', count })
const picture = (spaces: Picture['spaces'] = {}): Picture => ({
  moment: { title: '', phase: '' },
  spaces,
})
const said = (text: string, more: Partial<Line> = {}): Line => ({ kind: 'x', text, ...more })
const rolled = said('rolled', { power: 'red', throws: [{ label: 'x', faces: [1] }] })

/** What is shown: the number of lines and the position, or that a frame has ended. */
let seen: unknown[]
const frame = (lines: Line[], before = picture(), after = picture()): Frame => ({
  before,
  after,
  lines,
  first: 10,
  show: (number, shown) => seen.push([number, shown]),
  end: () => seen.push('end'),
})
const teller = () => new Teller((power) => power === 'mine')

beforeEach(() => {
  seen = []
  vi.stubGlobal('document', { hidden: false })
  vi.useFakeTimers()
  pace.speed = 1
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('holds everything back until the dice of a line have fallen', () => {
  const one = teller()
  const [before, after] = [picture(), picture({ a: { owner: 'red' } })]
  one.add(frame([rolled, said('lost')], before, after))
  expect([one.line, one.rolling, one.busy]).toEqual([10, true, true])
  expect(seen).toEqual([[1, before]])
  vi.advanceTimersByTime(600)
  expect([one.rolling, seen.length]).toEqual([false, 1])
  vi.advanceTimersByTime(5000)
  expect(seen.at(-1)).toBe('end')
  expect([one.line, one.busy]).toEqual([-1, false])
})

it('tells one frame after the other, and all of them at once to who skips', () => {
  const one = teller()
  one.add(frame([rolled]))
  one.add(frame([rolled, rolled]))
  expect(one.behind).toBe(2)
  one.skip()
  expect(seen.slice(1)).toEqual(['end', 'end'])
  expect(one.busy).toBe(false)
  vi.advanceTimersByTime(10_000)
  expect(seen.length).toBe(3)
})

it('is as fast as was chosen, and at once where nobody looks', () => {
  const time = (): number => {
    const one = teller()
    one.add(frame([rolled]))
    let waited = 0
    for (; one.busy; waited += 50) vi.advanceTimersByTime(50)
    return waited
  }
  const usual = time()
  pace.speed = 4
  expect(time()).toBeLessThan(usual / 3)
  pace.speed = 0
  expect(time()).toBe(0)
  pace.speed = 1
  vi.stubGlobal('document', { hidden: true })
  expect(time()).toBe(0)
})

it('does not tell people what they have just done themselves', () => {
  const one = teller()
  one.add(frame([said('moved', { power: 'mine', path: ['a', 'b'] })]))
  expect(one.busy).toBe(false)
  expect(one.places).toEqual([])
})

it('lets units march, and the camera follow them', () => {
  const one = teller()
  const before = picture({ a: army('red', infantry(3)), b: {} })
  const after = picture({ a: army('red', infantry(1)), b: army('red', infantry(2)) })
  one.add(frame([said('moved', { power: 'red', path: ['a', 'b'] })], before, after))
  expect(one.places).toEqual(['a', 'b'])
  expect(one.march?.pieces).toEqual([{ power: 'red', piece: infantry(2) }])
  const shown = (seen.at(-1) as [number, Picture])[1]
  expect(shown.spaces.a).toEqual(after.spaces.a)
  expect(shown.spaces.b).toEqual({})
  vi.advanceTimersByTime(2000)
  expect([one.march, seen.at(-1)]).toEqual([null, 'end'])
})

it('waits while it is paused', () => {
  const one = teller()
  one.add(frame([rolled]))
  one.pause()
  vi.advanceTimersByTime(10_000)
  expect([one.busy, one.paused]).toEqual([true, true])
  one.resume()
  vi.advanceTimersByTime(10_000)
  expect(one.busy).toBe(false)
})

it('tells again what people did themselves, never at once, and holds nothing', () => {
  pace.speed = 0
  const one = teller()
  one.holds = () => true
  one.add({ ...frame([said('moved', { power: 'mine', path: ['a', 'b'] })]), again: true })
  expect(one.busy).toBe(true)
  vi.advanceTimersByTime(5000)
  expect(one.busy).toBe(false)
})

it('knows units by their ids, and counts the others', () => {
  const unit = (id: string): Piece => ({ symbol: 'fleet', name: 'Fleet', id })
  const before = picture({ a: army('red', unit('one'), unit('two'), infantry(1), infantry(2)) })
  const after = picture({ a: army('red', unit('two'), infantry(2)) })
  expect(gone(before, after, 'a').map(({ piece }) => piece.id ?? piece.count)).toEqual(['one', 1])
})
