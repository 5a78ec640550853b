import { expect, it } from 'vitest'
import type { Guide, Picture, When } from '../lib/types'
import { current, holds, pointed, selector, type Now } from './steps'

const now = (
  kind: string,
  picture: Partial<Picture> = {},
  moment: Partial<Picture['moment']> = {},
): Now => ({
  kind,
  clear: false,
  picture: { spaces: {}, moment: { title: '', phase: '', ...moment }, ...picture },
})
const fleet: Picture['spaces'] = {
  sz15: {
    owner: 'germany',
    tags: ['battle'],
    stacks: [{ power: 'germany', pieces: [{ symbol: 'battleship', name: 'Bismarck' }] }],
  },
  sz14: {},
}

it.each<[When, Now, boolean]>([
  [{}, now(''), true],
  [{ rounds: [1, 2] }, now('', {}, { round: 2 }), true],
  [{ rounds: [1, 2] }, now('', {}, { round: 3 }), false],
  [{ asked: ['purchase', 'mobilize'] }, now('mobilize'), true],
  [{ asked: ['purchase'] }, now(''), false],
  [{ idle: true }, now(''), true],
  [{ idle: true }, now('purchase'), false],
  [{ idle: false }, now(''), false],
  [{ turn: ['japan', 'germany'] }, now('', {}, { power: 'germany' }), true],
  [{ turn: ['japan'] }, now('', {}, { power: 'germany' }), false],
  [{ phase: 'blitz' }, now('', {}, { phase: 'Axis Blitzes' }), true],
  [{ phase: 'blitz' }, now('', {}, { phase: 'Activities' }), false],
  [{ clear: true }, now('press'), false],
  [{ clear: true }, { ...now('press'), clear: true }, true],
  [{ battle: true }, now(''), false],
  [{ at: [{ space: 'sz15', power: 'germany' }] }, now('', { spaces: fleet }), true],
  [{ at: [{ space: 'sz15', power: 'japan' }] }, now('', { spaces: fleet }), false],
  [{ at: [{ space: 'sz15', symbol: 'fighter' }] }, now('', { spaces: fleet }), false],
  [{ at: [{ space: 'sz15', piece: 'Bismarck' }] }, now('', { spaces: fleet }), true],
  [{ at: [{ space: 'sz15', tag: 'battle' }] }, now('', { spaces: fleet }), true],
  [{ at: [{ space: 'sz14', tag: 'battle' }] }, now('', { spaces: fleet }), false],
  [{ at: [{ space: 'sz14', holder: '' }] }, now('', { spaces: fleet }), true],
  [{ at: [{ space: 'sz15', holder: '' }] }, now('', { spaces: fleet }), false],
  [
    { at: [{ space: 'sz15' }, { space: 'sz14', power: 'japan' }] },
    now('', { spaces: fleet }),
    false,
  ],
  [{ unless: [{ idle: true }] }, now('purchase'), true],
  [{ unless: [{ turn: ['japan'] }, { idle: true }] }, now(''), false],
])('%j holds', (when, at, expected) => {
  expect(holds(when, at)).toBe(expected)
})

it('shows the first step that is not behind us and has something to say', () => {
  const step = (id: string, ...when: When[]) => ({ id, title: id, text: [], when })
  const guide: Guide = {
    power: 'germany',
    steps: [
      step('buy', { asked: ['purchase'] }),
      step('move', { asked: ['combat_move'] }, { turn: ['japan'] }),
      step('end', {}),
    ],
  }
  expect(current(guide, [], now('purchase'))?.id).toBe('buy')
  expect(current(guide, ['buy'], now('purchase'))?.id).toBe('end')
  expect(current(guide, ['buy'], now('', {}, { power: 'japan' }))?.id).toBe('move')
  expect(current(guide, ['buy', 'move', 'end'], now(''))).toBeUndefined()
})

it('points at places, at those where something is so, or at all such on the map', () => {
  const at = now('', { spaces: fleet })
  const step = { id: '', title: '', text: [], when: [] }
  expect(pointed(step, at)).toEqual([])
  expect(pointed({ ...step, spaces: ['sz14', 'sz15'] }, at)).toEqual(['sz14', 'sz15'])
  const only = { power: 'germany' }
  expect(pointed({ ...step, spaces: ['sz14', 'sz15'], only }, at)).toEqual(['sz15'])
  expect(pointed({ ...step, only: { tag: 'battle' } }, at)).toEqual(['sz15'])
})

it('names parts of the panel', () => {
  expect(selector('done')).toBe('.request [data-answer="done"]')
  expect(selector('row infantry')).toBe('.request [data-row="infantry"]')
  expect(selector('choice Declare war')).toBe('.request [data-choice^="Declare war"]')
})
