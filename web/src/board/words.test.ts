import { expect, test } from 'vitest'
import type { About } from '../lib/types'
import {
  linesInWords,
  match,
  ownerInWords,
  pieceInWords,
  saidOf,
  spaceInWords,
  viewName,
} from './words'

const power = (id: string, name: string) => ({
  id,
  name,
  short: name,
  colour: 'gray',
  side: '',
  side_name: '',
})
const about: About = {
  game: 'made',
  title: 'Made up',
  subtitle: '',
  powers: [power('germany', 'Germany'), power('japan', 'Japan')],
}

test('a space is told in one line', () => {
  const space = {
    owner: 'germany',
    stacks: [
      { power: 'germany', pieces: [{ symbol: 'infantry', name: 'infantry', count: 3 }] },
      { power: 'japan', pieces: [{ symbol: 'tank', name: 'tank', states: ['moved'] }] },
    ],
  }
  expect(spaceInWords(about, 'Berlin', space, 'reach')).toBe(
    'Berlin, Germany: 3 infantry; Japan 1 tank (moved); can be reached',
  )
  expect(spaceInWords(about, 'Germany', { owner: 'germany' })).toBe('Germany')
  expect(spaceInWords(about, 'Sea zone 5', {})).toBe('Sea zone 5')
})

test('a piece is told with its size, its state and what it carries', () => {
  const cargo = [{ symbol: 'infantry', name: 'infantry', count: 2 }]
  const piece = {
    symbol: 'transport',
    name: 'transport',
    size: 2,
    states: ['damaged', 'loaded'],
    cargo,
  }
  expect(pieceInWords(piece)).toBe('1 transport of size 2 (damaged) with 2 infantry')
  expect(pieceInWords(piece, '×')).toBe('transport of size 2 (damaged) with 2 × infantry')
})

test('views have names for people', () => {
  expect(viewName('south_east_asia')).toBe('South-East Asia')
  expect(viewName('europe')).toBe('Europe')
})

test('the search ignores case and accents and prefers beginnings', () => {
  expect(match('São Paulo', 'sao')).toBe(3)
  expect(match('West Russia', 'rus')).toBe(2)
  expect(match('Belorussia', 'russ')).toBe(1)
  expect(match('Poland', 'x')).toBe(0)
  expect(match('Poland', ' ')).toBe(0)
})

test('who holds a space that is not theirs is said', () => {
  expect(ownerInWords(about, 'Berlin', { owner: 'germany', holder: 'japan' })).toBe(
    'Germany, held by Japan',
  )
  expect(ownerInWords(about, 'Germany', { owner: 'germany' })).toBe('')
})

test('routes and borders of a space are told with whose they are and how they stand', () => {
  const name = (id: string) => id.toUpperCase()
  const borders = [
    { pair: ['a', 'b'] as [string, string], kind: 'river' },
    { pair: ['b', 'e'] as [string, string], kind: 'river' },
  ]
  const routes = [
    { kind: 'convoy', path: ['b', 'c'], owner: 'japan', state: 'cut' as const, label: '6' },
  ]
  expect(linesInWords(about, 'b', borders, routes, name)).toEqual([
    'River, towards A and E.',
    'Convoy of Japan, 6, cut.',
  ])
  expect(linesInWords(about, 'd', borders, routes, name)).toEqual([])
})

test('what is said of a space names it once', () => {
  expect(saidOf('Paris (W3019)', 'Paris (W3019) is not Friendly.')).toBe(
    'Paris (W3019) is not Friendly.',
  )
  expect(saidOf('Paris (W3019)', 'It is too far.')).toBe('Paris (W3019): It is too far.')
})
