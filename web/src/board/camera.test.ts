import { expect, it } from 'vitest'
import { bestView, leastScale, stays } from './camera'

const near = { offered: false, scale: 1, together: 1, least: 0.3 }

it('what is spoken of is brought into view, all of it', () => {
  expect(stays({ ...near, seen: [true, true] })).toBe(true)
  expect(stays({ ...near, seen: [true, false] })).toBe(false)
  // At both ends of the world, too.
  expect(stays({ ...near, seen: [true, false], together: 0.3 })).toBe(false)
})

it('what is too small to be told apart comes nearer, if it can', () => {
  expect(stays({ ...near, seen: [true], scale: 0.3 })).toBe(false)
  expect(stays({ ...near, seen: [true, true], scale: 0.3, together: 0.3 })).toBe(true)
  expect(stays({ ...near, seen: [true], scale: 0.5, least: 0.5 })).toBe(true)
})

it('what a question offers is brought into view where it can be seen together', () => {
  const offered = { ...near, offered: true }
  expect(stays({ ...offered, seen: [true, false] })).toBe(false)
  expect(stays({ ...offered, seen: [true, false], together: 0.9 })).toBe(false)
  // Some in Europe and some in Asia would make all of the map small.
  expect(stays({ ...offered, seen: [true, false], together: 0.6 })).toBe(true)
  expect(stays({ ...offered, seen: [true, false], together: 0.3 })).toBe(true)
  expect(stays({ ...offered, seen: [false, false], together: 0.3 })).toBe(false)
  expect(stays({ ...offered, seen: [true, false, false, false, false] })).toBe(true)
  expect(stays({ ...offered, seen: [false, false, false, false, false] })).toBe(false)
})

it('the world fills the board, a sheet that does not go round is seen whole', () => {
  const world = { width: 4000, height: 1760, wrap: true }
  expect(leastScale({ width: 1000, height: 704 }, world)).toBe(0.4)
  expect(leastScale({ width: 1600, height: 352 }, world)).toBe(0.4)
  expect(leastScale({ width: 1000, height: 704 }, { ...world, wrap: false })).toBe(0.25)
  expect(leastScale({ width: 1600, height: 352 }, { ...world, wrap: false })).toBe(0.2)
})

it('of several views the largest is best, unless one about as large leaves nothing empty', () => {
  const [below, beside] = [
    { k: 1, full: false },
    { k: 0.95, full: true },
  ]
  const full = (view: { full: boolean }) => view.full
  expect(bestView([below, beside], full)).toBe(beside)
  expect(bestView([below, { ...beside, k: 0.6 }], full)).toBe(below)
  // Of two that are alike, the first.
  expect(bestView([{ ...beside }, beside], full)).not.toBe(beside)
})
