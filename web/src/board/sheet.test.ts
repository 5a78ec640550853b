import { expect, test } from 'vitest'
import aa1942 from '../../../src/sandtable/games/aa1942/map/map.topojson?raw'
import blitz from '../../../src/sandtable/games/blitz/map/map.topojson?raw'
import gw75 from '../../../src/sandtable/games/gw75/map/map.topojson?raw'
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

test('a map of hexes goes round the globe', () => {
  const sheet = new Sheet(JSON.parse(gw75) as TopoFile)
  for (const shape of sheet.shapes.values()) {
    const [x, y] = shape.units
    for (const turn of [-2, 0, 1]) expect(sheet.at(x + turn * sheet.width, y)?.id).toBe(shape.id)
  }
  // The seam runs through the United States; a way across it is short, and arrow keys go on.
  expect(sheet.toward('E2833', 1, 0)).toBe('W2801')
  expect(sheet.toward('W2801', -1, 0)).toBe('E2833')
  const [from, to] = sheet.way(['E2833', 'W2801'])
  expect(to![0] - from![0]).toBeCloseTo(sheet.width / 66)
})

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
  // Places that are not there in a scenario are in nobody's way.
  const { blitz } = sheets
  expect(blitz.toward('western_germany', 1, 0)).toBe('austria_czechoslovakia')
  expect(blitz.toward('western_germany', 1, 0, new Set(['berlin']))).toBe(null)
  expect(blitz.toward('western_germany', 0, -1, new Set(['berlin']))).toBe('berlin')
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

/** Two hexes side by side on a sheet that does not go round; a river between them. */
const hexes = new Sheet({
  transform: { scale: [0.1, 0.1] },
  arcs: [
    [[720, 120], [0, 346]],
    [[720, 120], [-300, -100], [-300, 100], [0, 346], [300, 100], [300, -100]],
    [[720, 120], [300, -100], [300, 100], [0, 346], [-300, 100], [-300, -100]],
  ],
  objects: {
    spaces: {
      geometries: [
        { id: 'a', type: 'MultiPolygon', arcs: [[[0, ~1]]], properties: printed('a', 42) },
        { id: 'b', type: 'MultiPolygon', arcs: [[[0, ~2]]], properties: printed('b', 102) },
      ],
    },
    land: { geometries: [] },
    islets: { geometries: [] },
  },
  sheet: {
    width: 144,
    top: 0,
    height: 60,
    views: {},
    connectors: [],
    closed: [],
    borders: [['a', 'b', 'river']],
    wrap: false,
    hexes: true,
  },
}) // prettier-ignore

function printed(name: string, x: number) {
  const at: [number, number] = [x, 29]
  return { name, sea: false, terrain: 'forest', number: name, label: at, units: at, text: { lines: [], at, size: 9 } } // prettier-ignore
}

test('a sheet that does not go round is there once', () => {
  expect(hexes.at(42, 29)?.id).toBe('a')
  expect(hexes.at(42 + hexes.width, 29)).toBe(null)
  expect(hexes.at(42 - hexes.width, 29)).toBe(null)
  expect(hexes.toward('b', 1, 0)).toBe(null)
  expect(hexes.toward('b', -1, 0)).toBe('a')
  expect(hexes.way(['a', 'b'])).toEqual([
    [42, 29],
    [102, 29],
  ])
})

test('the edge of a map of hexes is no coast, and the border of two spaces is found', () => {
  expect(new Set(hexes.lines.map((line) => line.kind))).toEqual(new Set(['border']))
  expect(hexes.border('a', 'b').map((line) => [...line])).toEqual([[72, 12, 72, 46.6]])
  expect(hexes.border('a', 'c')).toEqual([])
  expect(hexes.borders).toEqual([{ pair: ['a', 'b'], kind: 'river' }])
  const across = sheets.aa1942.border('germany', 'poland')
  expect(across.length).toBeGreaterThan(0)
})

test('a way round the globe takes the short side', () => {
  const { aa1942 } = sheets
  const [from, to] = aa1942.way(['central_united_states', 'western_united_states'])
  expect(Math.abs(to![0] - from![0])).toBeLessThan(aa1942.width / 2)
})

/** Two hexes side by side with land in the right half of the first; the second one is another country,
 *  and has seasons. */
const shored = new Sheet({
  transform: { scale: [0.1, 0.1] },
  arcs: [
    [[720, 120], [0, 346]],
    [[720, 120], [-300, -100], [-300, 100], [0, 346], [300, 100], [300, -100]],
    [[720, 120], [300, -100], [300, 100], [0, 346], [-300, 100], [-300, -100]],
    [[720, 120], [0, 346], [-300, 100], [20, -200], [-20, -346], [300, 100]],
  ],
  objects: {
    spaces: {
      geometries: [
        { id: 'a', type: 'MultiPolygon', arcs: [[[0, ~1]]], properties: { sea: false, coast: true, region: 'x', units: [42, 29], marks: ['factory'] } },
        { id: 'b', type: 'MultiPolygon', arcs: [[[0, ~2]]], properties: { sea: false, region: 'y', weather: true, units: [102, 29] } },
      ],
    },
    land: { geometries: [] },
    islets: { geometries: [] },
    shores: { geometries: [{ id: 'a', type: 'MultiPolygon', arcs: [[[3]]] }] },
  },
  sheet: {
    width: 144,
    top: 0,
    height: 60,
    views: {},
    connectors: [],
    closed: [],
    borders: [],
    wrap: false,
    hexes: true,
    regions: [{ name: 'X', at: [42, 29], size: 12 }],
  },
}) // prettier-ignore

test('coasts run through hexes, and lines part countries and weather', () => {
  const of = (kind: string) => shored.lines.filter((line) => line.kind === kind)
  // The land of the hex ends at hexsides on the right, above and below: only the left of it is coast.
  expect(of('coast').map((line) => [...line.points])).toEqual([[42, 56.6, 44, 36.6, 42, 2]])
  expect(of('frontier').map((line) => [...line.points])).toEqual([[72, 12, 72, 46.6]])
  expect(of('weather').map((line) => [...line.points])).toEqual([[72, 12, 72, 46.6]])
  expect(shored.shores.size).toBe(1)
  expect(shored.shapes.get('a')).toMatchObject({ name: 'a', number: 'a', coast: true })
  expect(shored.shapes.get('a')!.marks).toEqual(['factory'])
  expect(shored.regions).toHaveLength(1)
})
