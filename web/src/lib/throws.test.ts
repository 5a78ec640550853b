import { expect, test } from 'vitest'
import { lineHits, throwInWords } from './throws'
import type { Line, Throw } from './types'

const line = (...throws: Throw[]): Line => ({ kind: 'fired', text: '', throws })

test('the hits of a line are those of its dice and those that were sure', () => {
  const miss = { label: '2 tanks', faces: [4, 6], hits: [false, false] }
  expect(lineHits(line(miss))).toBe('No hit')
  expect(lineHits(line(miss, { label: '1 fighter', faces: [2], hits: [true] }))).toBe('1 hit')
  const rest = { label: '4 sure, a die for the rest', faces: [3], hits: [false], sure: 4 }
  expect(lineHits(line(rest))).toBe('4 hits')
  expect(throwInWords(rest)).toBe('4 sure, a die for the rest: 3; 4 hits')
})

test('dice that are read off a table say nothing of hits', () => {
  expect(lineHits(line({ label: 'Bombs', faces: [3, 5] }))).toBe('')
  expect(throwInWords({ label: 'Bombs', faces: [3, 5] })).toBe('Bombs: 3, 5')
})
