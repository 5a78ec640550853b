import { expect, test } from 'vitest'
import type { About, Picture } from '../lib/types'
import { hiddenLayers, switchLayer, without } from './layers'

const about: About = {
  game: 'made',
  title: '',
  subtitle: '',
  powers: [],
  layers: [
    { id: 'rails', name: 'Railways' },
    { id: 'oil', name: 'Oil', off: true },
  ],
}
const picture: Picture = {
  moment: { title: '', phase: '' },
  spaces: {
    a: {
      marks: [
        { symbol: 'oil', title: 'Oil', layer: 'oil' },
        { symbol: 'city', title: 'City' },
      ],
    },
    b: { marks: [{ symbol: 'city', title: 'City' }] },
  },
  borders: [{ pair: ['a', 'b'], kind: 'river' }],
  routes: [
    { kind: 'rail', path: ['a', 'b'], layer: 'rails' },
    { kind: 'convoy', path: ['a', 'b'] },
  ],
}

test('what belongs to a hidden layer is not shown, all else is', () => {
  const hidden = hiddenLayers(about)
  expect([...hidden]).toEqual(['oil'])
  const shown = without(picture, hidden)
  expect(shown.spaces.a!.marks!.map((mark) => mark.symbol)).toEqual(['city'])
  expect(shown.spaces.b).toBe(picture.spaces.b)
  expect(shown.routes).toHaveLength(2)
  const fewer = without(picture, switchLayer(about, hidden, 'rails'))
  expect(fewer.routes!.map((route) => route.kind)).toEqual(['convoy'])
  expect(fewer.borders).toHaveLength(1)
})

test('with nothing hidden the picture is the same', () => {
  expect(without(picture, switchLayer(about, new Set(['oil']), 'oil'))).toBe(picture)
})
