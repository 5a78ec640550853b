import { expect, test } from 'vitest'
import aa1942 from '../../../src/sandtable/games/aa1942/map/map.topojson?raw'
import gw75 from '../../../src/sandtable/games/gw75/map/map.topojson?raw'
import blitz from '../../../src/sandtable/games/blitz/map/map.topojson?raw'
import type { Picture, Space } from '../lib/types'
import {
  countersOf,
  countLabel,
  counterWidth,
  layOut,
  overhang,
  stepOf,
  sums,
  type Layout,
} from './layout'
import setups from './setup.pictures.json'
import { nearest, Sheet, type TopoFile } from './sheet'

const sheet = new Sheet(JSON.parse(aa1942) as TopoFile)
const moment = { title: '', phase: '' }
const measure = (text: string, font: number) => text.length * font * 0.55

/** A crowded position: several types everywhere, two powers in every third space. */
function crowded(): Picture {
  const spaces: Record<string, Space> = {}
  ;[...sheet.shapes.values()].forEach((shape, i) => {
    const pieces = ['infantry', 'tank', 'fighter', 'artillery', 'bomber']
      .slice(0, 1 + (i % 5))
      .map((symbol, j) => ({ symbol, name: symbol, count: 1 + ((i + j) % 7) }))
    const stacks = [{ power: 'germany', pieces }]
    if (i % 3 === 0) stacks.push({ power: 'japan', pieces: pieces.slice(0, 2) })
    spaces[shape.id] = { owner: 'germany', stacks, marks: [{ symbol: 'ipc', title: 'Worth 2', text: '2' }] } // prettier-ignore
  })
  return { moment, spaces }
}

const picture = crowded()
/** From the whole world on a small screen to a single country. */
const SCALES = [0.25, 0.34, 0.5, 0.75, 1, 1.4, 2, 3]

/** The set-ups of the games, and a crowded position. */
const positions: Record<string, { sheet: Sheet; picture: Picture }> = {
  'a crowded aa1942': { sheet, picture },
  'the set-up of aa1942': {
    sheet,
    picture: { moment, spaces: setups.aa1942 as unknown as Picture['spaces'] },
  },
  'the set-up of blitz': {
    sheet: new Sheet(JSON.parse(blitz) as TopoFile),
    picture: { moment, spaces: setups.blitz as unknown as Picture['spaces'] },
  },
}
const everywhere = Object.keys(positions).flatMap((name) =>
  SCALES.map((scale) => [name, scale] as const),
)

interface Area {
  x: number
  y: number
  w: number
  h: number
}
function overlap(a: Area, b: Area, scale: number): boolean {
  const dx = Math.abs(nearest(a.x - b.x, sheet.width * scale))
  return dx < (a.w + b.w) / 2 - 1 && Math.abs(a.y - b.y) < (a.h + b.h) / 2 - 1
}
const areaOf = (group: Layout['groups'][number], scale: number): Area => {
  const [left, top, w, h] = group.box
  return { x: group.x * scale + left + w / 2, y: group.y * scale + top + h / 2, w, h }
}

test.each(everywhere)('in %s at scale %d pieces in full cover no others', (name, scale) => {
  const { sheet, picture } = positions[name]!
  const { groups } = layOut(sheet, picture, scale, measure)
  const clashes: string[] = []
  for (const [i, a] of groups.entries()) {
    for (const b of groups.slice(i + 1)) {
      if (a.sum && b.sum) continue
      if (overlap(areaOf(a, scale), areaOf(b, scale), scale)) clashes.push(`${a.id} and ${b.id}`)
    }
  }
  expect(clashes).toEqual([])
})

test.each(everywhere)('in %s at scale %d pieces stand in their own space', (name, scale) => {
  const { sheet, picture } = positions[name]!
  const { groups } = layOut(sheet, picture, scale, measure)
  const astray = groups.filter((group) => {
    const { x, y } = areaOf(group, scale)
    return sheet.at(x / scale, y / scale)?.id !== group.id
  })
  // Where even numbers of pieces do not fit, they stand as near as they can.
  const crowd = scale < 0.5 || name.includes('crowded')
  expect(astray.filter((group) => !(crowd && group.sum)).map((group) => group.id)).toEqual([])
})

test.each(everywhere)('in %s at scale %d names cover neither pieces nor names', (name, scale) => {
  const { sheet, picture } = positions[name]!
  const { groups, labels } = layOut(sheet, picture, scale, measure)
  const names = labels.map((label) => ({
    id: label.id,
    area: {
      x: label.x * scale + label.dx,
      y: label.y * scale + label.dy,
      w: label.width,
      h: label.height,
    },
  }))
  const pieces = groups.map((group) => ({ id: group.id, area: areaOf(group, scale) }))
  const clashes = names.flatMap((a, i) =>
    [...names.slice(i + 1), ...pieces]
      .filter((b) => overlap(a.area, b.area, scale))
      .map((b) => `${a.id} and ${b.id}`),
  )
  expect(clashes).toEqual([])
})

test.each(['aa1942', 'blitz'])(
  'at the set-up of %s every name is there before one is near',
  (game) => {
    const { sheet, picture } = positions[`the set-up of ${game}`]!
    const named = layOut(sheet, picture, 1.4, measure).labels.filter((each) => each.lines.length)
    expect(named.length).toBe(Object.keys(picture.spaces).length)
  },
)

test('a name that stands beside its space moves in when there is room', () => {
  const { sheet, picture } = positions['the set-up of aa1942']!
  const of = (scale: number) =>
    layOut(sheet, picture, scale, measure).labels.find((each) => each.id === 'northwestern_europe')!
  expect(of(1).leader).not.toBe(null)
  const near = of(3)
  expect(near.leader).toBe(null)
  expect(sheet.at(near.x + near.dx / 3, near.y + near.dy / 3)?.id).toBe('northwestern_europe')
})

test('the number of pieces leaves half of the symbol, and all of a size, to be seen', () => {
  const [piece] = countersOf([
    { power: 'x', pieces: [{ symbol: 'tank', name: 'tank', count: 12 }] },
  ])
  for (const size of [0, 3]) {
    for (const side of [14, 15, 20, 26, 36]) {
      const counter = { ...piece!, size }
      const covered = countLabel(counter, side).width - overhang(counter, side)
      expect(covered).toBeLessThanOrEqual(size ? 6 : side * 0.5 + 1)
      expect(counterWidth(counter, side)).toBeGreaterThanOrEqual(side)
    }
  }
})

test('no piece is lost: the numbers on the counters add up at every scale', () => {
  const total = (id: string) =>
    picture.spaces[id]!.stacks!.reduce(
      (sum, stack) => sum + stack.pieces.reduce((n, piece) => n + (piece.count ?? 1), 0),
      0,
    )
  for (const scale of SCALES) {
    const { groups } = layOut(sheet, picture, scale, measure)
    expect(groups.length).toBe(sheet.shapes.size)
    for (const group of groups) {
      const shown = group.placed.reduce((sum, each) => sum + each.counter.count, 0)
      expect(shown).toBe(total(group.id))
    }
  }
})

test('the nearer, the more is shown', () => {
  const far = layOut(sheet, picture, 0.34, measure)
  const near = layOut(sheet, picture, 3, measure)
  const full = (layout: Layout) => layout.groups.filter((group) => !group.sum).length
  expect(full(near)).toBeGreaterThan(full(far))
  expect(near.labels.length).toBeGreaterThan(far.labels.length)
  expect(near.labels.filter((label) => label.lines.length).length).toBeGreaterThan(140)
})

test('a layout is never made for a larger scale than the true one', () => {
  for (let scale = 0.2; scale < 7; scale *= 1.07) {
    expect(stepOf(scale)).toBeLessThanOrEqual(scale)
    expect(stepOf(scale)).toBeGreaterThan(scale / 1.2)
  }
})

test('pieces that look alike share a counter, others do not', () => {
  const piece = { symbol: 'tank', name: 'Tank' }
  const counters = countersOf([
    { power: 'germany', pieces: [piece, { ...piece, count: 2 }, { ...piece, states: ['moved'] }] },
    { power: 'japan', pieces: [piece] },
  ])
  expect(counters.map((each) => [each.power, each.count, each.states])).toEqual([
    ['germany', 3, []],
    ['germany', 1, ['moved']],
    ['japan', 1, []],
  ])
})

test('a pile says how many there are, and the two types that most of them are of', () => {
  const pieces = [
    { symbol: 'bomber', name: 'Bomber', count: 2 },
    { symbol: 'infantry', name: 'Infantry', count: 2 },
    { symbol: 'tank', name: 'Tank', count: 4 },
    { symbol: 'infantry', name: 'Infantry', count: 3, states: ['moved'] },
  ]
  const [pile] = sums([{ power: 'germany', pieces }])
  expect([pile!.count, pile!.symbol, pile!.second]).toEqual([11, 'infantry', 'tank'])
  const [alike] = sums([{ power: 'germany', pieces: pieces.slice(2, 3) }])
  expect([alike!.count, alike!.symbol, alike!.second]).toEqual([4, 'tank', ''])
})

test('the number of pieces is at least twelve pixels high', () => {
  const [counter] = countersOf([{ power: 'x', pieces: [{ symbol: 'tank', name: 'Tank', count: 2 }] }]) // prettier-ignore
  for (const side of [14, 20, 36]) {
    expect(countLabel(counter!, side).font * 1.1).toBeGreaterThanOrEqual(12)
  }
})

test.each([0.34, 0.75, 1.4])(
  'at scale %d names stay where they were when stacks change',
  (scale) => {
    const { sheet, picture } = positions['the set-up of aa1942']!
    const before = layOut(sheet, picture, scale, measure).labels
    // Everything leaves one half of the spaces and goes to the other half.
    const changed = Object.entries(picture.spaces).map(([id, space], i) => {
      const more = [{ symbol: 'bomber', name: 'Bomber', count: 12 }]
      const stacks = (space.stacks ?? []).map((stack) => ({ ...stack, pieces: [...stack.pieces, ...more] })) // prettier-ignore
      return [id, { ...space, stacks: i % 2 ? [] : stacks }]
    })
    const after = layOut(sheet, { ...picture, spaces: Object.fromEntries(changed) }, scale, measure, before).labels // prettier-ignore
    const there = new Map(after.map((label) => [label.id, label]))
    const whole = before.filter(
      (label) =>
        label.lines.length && label.marks.length === (picture.spaces[label.id]!.marks ?? []).length,
    )
    const jumped = whole.filter((label) => {
      const now = there.get(label.id)
      return now && Math.hypot(now.dx - label.dx, now.dy - label.dy) > 1
    })
    expect(whole.length).toBeGreaterThan(20)
    expect(jumped.length).toBeLessThan(whole.length / 10)
  },
)

test('far away, what a place is known for comes before other names', () => {
  const { sheet, picture } = positions['the set-up of aa1942']!
  const { labels } = layOut(sheet, picture, 0.25, measure)
  const known = Object.entries(picture.spaces).filter(([, space]) => space.marks?.some((mark) => mark.symbol === 'capital')) // prettier-ignore
  for (const [id] of known) expect(labels.map((label) => label.id)).toContain(id)
})

test('marks that stand at the pieces take no room from names', () => {
  const { sheet, picture } = positions['the set-up of aa1942']!
  const supplied = { symbol: 'attack_supply', title: 'In Attack Supply', tone: 'good' as const }
  const spaces = Object.fromEntries(
    Object.entries(picture.spaces).map(([id, space]) => [
      id,
      { ...space, marks: [...(space.marks ?? []), supplied] },
    ]),
  )
  const { labels } = layOut(sheet, { ...picture, spaces }, 0.75, measure)
  expect(labels).toEqual(layOut(sheet, picture, 0.75, measure).labels)
  // They are no reason to place a name anew, either.
  const again = layOut(sheet, { ...picture, spaces }, 0.75, measure, labels).labels
  expect(new Set(again.map((label) => label.id))).toEqual(new Set(labels.map((label) => label.id)))
})

test('stacks of neighbouring hexes stay in them on a map of the whole world', () => {
  const globe = new Sheet(JSON.parse(gw75) as TopoFile)
  const kinds = ['nato_infantry', 'nato_mechanized', 'submarine']
  const pieces = kinds.map((symbol) => ({ symbol, name: symbol, count: 4, printed: true }))
  const hexes = ['W3119', 'W3120', 'W3121', 'W3122', 'W3019', 'W3020', 'W3021', 'W3022']
  const spaces = Object.fromEntries(
    hexes.map((id) => [id, { owner: '', stacks: [{ power: 'germany', pieces }] }]),
  )
  const { box } = globe.shapes.get('W3120')!
  const { groups } = layOut(globe, { moment, spaces }, 19 / (box[2] - box[0]), measure)
  for (const group of groups) {
    const middle = [
      group.x + (group.box[0] + group.box[2] / 2) / (19 / (box[2] - box[0])),
      group.y + (group.box[1] + group.box[3] / 2) / (19 / (box[2] - box[0])),
    ] as const
    expect(globe.inside(globe.shapes.get(group.id)!, ...middle, 2), group.id).toBe(true)
    expect(group.placed.map(({ counter }) => counter.count)).toEqual([12])
  }
})
