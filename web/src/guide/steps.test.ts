import { expect, it } from 'vitest'
import type { About, Picture } from '../lib/types'
import { germany } from './aa1942'
import { westernEurope } from './blitz'
import { current, type Now } from './steps'

const about = (game: string, subtitle: string): About => ({ game, title: '', subtitle, powers: [] })
const now = (kind: string, picture: Partial<Picture>, moment: Partial<Picture['moment']>): Now => ({
  kind,
  clear: false,
  log: [],
  about: about('', ''),
  picture: { spaces: {}, moment: { title: '', phase: '', ...moment }, ...picture },
})

it('no two steps of a guide have the same id', () => {
  for (const walk of [germany, westernEurope]) {
    const ids = walk.steps.map((step) => step.id)
    expect(new Set(ids).size).toBe(ids.length)
  }
})

it('guides are for the games that they were written for', () => {
  expect(germany.fits(about('aa1942', 'Standard victory'))).toBe(true)
  expect(westernEurope.fits(about('blitz', 'The Blitz of Western Europe'))).toBe(true)
  expect(westernEurope.fits(about('blitz', 'The Longest Day'))).toBe(false)
})

it('Germany waits for the Soviet Union, and then buys', () => {
  const soviets = now('', {}, { power: 'soviet_union', round: 1 })
  expect(current(germany, [], soviets)?.id).toBe('welcome')
  const attacked = now('choose_casualties', {}, { power: 'soviet_union', round: 1 })
  expect(current(germany, [], attacked)?.id).toBe('attacked')
  const buying = now('purchase', {}, { power: 'germany', round: 1 })
  expect(current(germany, [], buying)?.id).toBe('welcome')
  expect(current(germany, ['welcome'], buying)?.id).toBe('goal')
  expect(current(germany, ['welcome', 'goal'], buying)?.id).toBe('purchase')
})

it('fighting by itself is spoken of only where it is offered', () => {
  const fighting = now('choose_battle', {}, { power: 'germany', round: 1 })
  expect(current(germany, ['battle'], fighting)).toBeUndefined()
  expect(current(germany, ['battle'], { ...fighting, clear: true })?.id).toBe('auto')
})

it('the end is told also to whoever comes back in the second turn', () => {
  const done = germany.steps.slice(0, -1).map((step) => step.id)
  const at = (power: string, round: number) => now('', {}, { power, round })
  expect(current(germany, done, at('germany', 1))).toBeUndefined()
  expect(current(germany, done, at('united_kingdom', 1))?.id).toBe('end')
  expect(current(germany, done, at('germany', 2))?.id).toBe('end')
})

it('a step whose place is empty is passed over', () => {
  const moving = (spaces: Picture['spaces']) =>
    now('combat_move', { spaces }, { power: 'germany', round: 1 })
  const fleet: Picture['spaces'] = {
    sz15: {
      stacks: [{ power: 'germany', pieces: [{ symbol: 'battleship', name: 'Battleship' }] }],
    },
    sz14: {
      stacks: [{ power: 'united_kingdom', pieces: [{ symbol: 'cruiser', name: 'Cruiser' }] }],
    },
  }
  expect(current(germany, ['moves'], moving(fleet))?.id).toBe('fleet')
  expect(current(germany, ['moves'], moving({}))?.id).toBe('east')
})

it('the attack on Poland is behind us when it is announced', () => {
  const step = westernEurope.steps.find((one) => one.id === 'poland')!
  const at = (tags: string[]) =>
    now('land_area_combat', { spaces: { poland: { owner: 'afa', tags } } }, { round: 1 })
  expect(step.when(at([]))).toBe(true)
  expect(step.until!(at([]))).toBe(false)
  expect(step.until!(at(['battle']))).toBe(true)
})
