import { expect, test } from 'vitest'
import type { Network } from '../lib/types'
import { carried, keyOf, linesOf, through, wishing } from './courses'

const network: Network = {
  title: 'Pipelines',
  courses: [
    { ends: ['a', 'd'], label: 'A to D', capacity: 4, left: 1, path: ['a', 'b', 'c', 'd'], stations: { b: 4, c: 5 } },
    { ends: ['a', 'e'], label: 'A to E', capacity: 2, left: 2, path: ['a', 'b', 'e'], stations: { b: 4 } },
    { ends: ['a', 'f'], label: 'A to F' },
  ],
} // prettier-ignore
const [wide, narrow, none] = network.courses as [
  Network['courses'][0],
  Network['courses'][0],
  Network['courses'][0],
]

test('a line says what it carries, and what of it is left', () => {
  expect(carried(wide)).toBe('1/4')
  expect(carried(narrow)).toBe('2')
  expect(carried(none)).toBe('0')
})

test('the chosen line is drawn last, and none that is not there', () => {
  const lines = linesOf(network, keyOf(wide))
  expect(lines.map(({ path, chosen }) => [path.at(-1), chosen])).toEqual([
    ['e', false],
    ['d', true],
  ])
})

test('a wish takes the place of the one before, and one for what is there is none', () => {
  const once = wishing([], { ends: ['a', 'e'], capacity: 3 }, network)
  const twice = wishing(once, { ends: ['a', 'e'], capacity: 4 }, network)
  expect(twice).toEqual([{ ends: ['a', 'e'], capacity: 4 }])
  expect(wishing(twice, { ends: ['a', 'e'], capacity: 2 }, network)).toEqual([])
  const fresh = wishing([], { ends: ['x', 'y'], capacity: 1 }, network)
  expect(fresh).toHaveLength(1)
  expect(wishing(fresh, { ends: ['x', 'y'], capacity: 0 }, network)).toEqual([])
})

test('a click on a station takes one course through it after the other', () => {
  expect(through(network, 'b', '')).toBe(wide)
  expect(through(network, 'b', keyOf(wide))).toBe(narrow)
  expect(through(network, 'b', keyOf(narrow))).toBe(wide)
  expect(through(network, 'z', '')).toBeUndefined()
})
