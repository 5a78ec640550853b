import { expect, test } from 'vitest'
import aa1942 from '../../../src/sandtable/games/aa1942/map/map.topojson?raw'
import type { Picture, Space } from '../lib/types'
import { countersOf, layOut, stepOf, type Layout } from './layout'
import { nearest, Sheet, type TopoFile } from './sheet'

const sheet = new Sheet(JSON.parse(aa1942) as TopoFile)
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
  return { moment: { title: '', phase: '' }, spaces }
}

const picture = crowded()
const SCALES = [0.34, 0.6, 1, 1.7, 3]

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

test.each(SCALES)('at scale %d pieces that are shown in full cover no others', (scale) => {
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

test.each(SCALES)('at scale %d names cover neither pieces nor each other', (scale) => {
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
