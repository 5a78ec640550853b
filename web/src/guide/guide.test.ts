import { expect, it } from 'vitest'
import { guide } from './guide.svelte'

it('what was done and taken back is said again', () => {
  guide.open('g')
  guide.finish('g', 'goal', 4)
  guide.finish('g', 'purchase', 6)
  guide.rewind('g', 6)
  expect(guide.done('g')).toEqual(['goal', 'purchase'])
  guide.rewind('g', 5)
  expect(guide.done('g')).toEqual(['goal'])
  // It stays so when another decision makes the log longer.
  guide.rewind('g', 9)
  expect(guide.done('g')).toEqual(['goal'])
})

it('whoever leaves the guide and opens it again goes on where they were', () => {
  guide.open('h')
  guide.finish('h', 'goal', 4)
  guide.leave('h')
  expect(guide.on('h')).toBe(false)
  guide.open('h')
  expect(guide.on('h')).toBe(true)
  // The card of the goals does not take its place.
  expect(guide.done('h')).toEqual(['goal', 'goals'])
})
