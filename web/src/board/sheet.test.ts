import { expect, test } from 'vitest'
import aa1942 from '../../../src/sandtable/games/aa1942/map/map.topojson?raw'
import blitz from '../../../src/sandtable/games/blitz/map/map.topojson?raw'
import { nearest, Sheet, wrap, type TopoFile } from './sheet'

const sheets = {
  aa1942: new Sheet(JSON.parse(aa1942) as TopoFile),
  blitz: new Sheet(JSON.parse(blitz) as TopoFile),
}

test.each(Object.entries(sheets))(
  'every space of %s is found where its units stand',
  (_, sheet) => {
    for (const shape of sheet.shapes.values()) {
      const [x, y] = shape.units
      for (const turn of [-2, 0, 1]) expect(sheet.at(x + turn * sheet.width, y)?.id).toBe(shape.id)
    }
  },
)

test('nothing is found beyond the edge of the sheet', () => {
  expect(sheets.aa1942.at(100, -50)).toBe(null)
})

test('neighbours share a border or a connector', () => {
  const { neighbours } = sheets.aa1942
  expect(neighbours.get('germany')).toContain('poland')
  expect(neighbours.get('sz17')).toContain('sz34') // the Suez Canal
  expect(neighbours.get('germany')).not.toContain('japan')
})

test('a border that is closed makes no neighbours', () => {
  expect(sheets.aa1942.neighbours.get('germany')).not.toContain('sz6')
  expect(sheets.blitz.neighbours.get('samarkand')).not.toContain('urals')
})

test('the globe is joined at the seam', () => {
  const { shapes, neighbours, width } = sheets.aa1942
  const across = [...neighbours].flatMap(([id, others]) =>
    [...others].filter((other) => {
      const dx = shapes.get(other)!.units[0] - shapes.get(id)!.units[0]
      return Math.abs(dx) > width / 2
    }),
  )
  expect(across.length).toBeGreaterThan(4)
})

test('arrow keys walk to the neighbour in that direction, round the globe too', () => {
  const { aa1942 } = sheets
  expect(aa1942.toward('germany', 1, 0)).toBe('poland')
  expect(aa1942.toward('poland', -1, 0)).toBe('germany')
  expect(aa1942.toward('western_canada', 1, 0)).toBe('eastern_canada')
  expect(aa1942.toward('eastern_canada', -1, 0)).toBe('western_canada')
})

test('every line of the map has a kind, and there are coasts, borders and sea borders', () => {
  for (const sheet of Object.values(sheets)) {
    const kinds = new Set(sheet.lines.map((line) => line.kind))
    expect([...kinds].sort()).toEqual(['border', 'closed', 'coast', 'sea'])
  }
})

test('less detail means fewer points, with the same ends', () => {
  const { lines } = sheets.blitz
  const sheet = sheets.blitz
  const count = (lod: number) =>
    lines.reduce((sum, line) => sum + sheet.points(line, lod).length, 0)
  expect(count(1)).toBeLessThan(count(0))
  expect(count(3)).toBeLessThan(count(2) / 1.5)
  for (const line of lines)
    expect([...sheet.points(line, 3).slice(-2)]).toEqual([...line.points.slice(-2)])
})

test('places wrap round the sheet', () => {
  expect(wrap(-1, 4000)).toBe(3999)
  expect(nearest(3900, 4000)).toBe(-100)
})
