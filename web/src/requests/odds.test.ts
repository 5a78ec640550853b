import { expect, it } from 'vitest'
import { ApiError } from '../lib/api'
import type { GameStore } from '../lib/game.svelte'
import type { Decision, Odds } from '../lib/types'
import { askOdds, percent, tone } from './odds'

const ODDS: Odds = { title: '', win: 0.5, lose: 0.5 }
const MOVE: Decision = { kind: 'move' }

/** A game whose server gives these answers one after the other. */
function asking(id: string, answers: (Odds | null | ApiError)[], settled = true) {
  const asked: string[] = []
  const game = {
    id,
    version: 1,
    seated: true,
    busy: false,
    settled,
    odds: (space: string) => {
      asked.push(space)
      const answer = answers.shift()
      return answer instanceof ApiError ? Promise.reject(answer) : Promise.resolve(answer)
    },
  } as unknown as GameStore
  return { game, asked }
}
const always = () => true

it('what is known is not asked again, and that there are no odds is known as well', async () => {
  const { game, asked } = asking('a', [ODDS, null])
  expect(await askOdds(game, 'egypt', MOVE, always)).toEqual(ODDS)
  expect(await askOdds(game, 'libya', MOVE, always)).toBe(null)
  expect(await askOdds(game, 'egypt', MOVE, always)).toEqual(ODDS)
  expect(await askOdds(game, 'libya', MOVE, always)).toBe(null)
  expect(asked).toEqual(['egypt', 'libya'])
})

it('a server that was busy or away is asked again', async () => {
  const { game } = asking('b', [new ApiError(429, 'Slowly.'), new ApiError(0, ''), ODDS])
  expect(await askOdds(game, 'egypt', MOVE, always)).toBe(null)
  expect(await askOdds(game, 'egypt', MOVE, always)).toBe(null)
  expect(await askOdds(game, 'egypt', MOVE, always)).toEqual(ODDS)
})

it('nobody is asked about what is no longer wanted, or about a position that has gone by', async () => {
  const wanted = asking('c', [ODDS])
  expect(await askOdds(wanted.game, 'egypt', MOVE, () => false)).toBe(null)
  const { game, asked } = asking('d', [ODDS], false)
  expect(await askOdds(game, 'egypt', MOVE, always)).toBe(null)
  expect(await askOdds(game, 'egypt', undefined, always)).toEqual(ODDS)
  expect([wanted.asked, asked]).toEqual([[], ['egypt']])
})

it('chances are written so that nothing looks certain that is not', () => {
  expect([0, 0.001, 0.4, 0.999, 1].map(percent)).toEqual(['0 %', '<1 %', '40 %', '>99 %', '100 %'])
  expect([0.1, 0.5, 0.9].map(tone)).toEqual(['bad', 'fair', 'good'])
})
