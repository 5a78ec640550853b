// A map as it is stored (TopoJSON on a flat sheet, which may go round), made ready for drawing, for
// finding the space at a point, and for walking from space to space.

import type { Border } from '../lib/types'

export type Point = [number, number]
export type Box = [left: number, top: number, right: number, bottom: number]

export interface TopoFile {
  transform: { scale: Point }
  arcs: Point[][]
  objects: Record<'spaces' | 'land' | 'islets', { geometries: Geometry[] }> & {
    /** The land in hexes that are not all land or all sea, by the id of the hex. */
    shores?: { geometries: Geometry[] }
  }
  sheet: {
    width: number
    top: number
    height: number
    views: Record<string, [number, number, number, number]>
    connectors: { pair: Point2; kind: LinkKind; by: Point[] }[]
    closed: Point2[]
    /** Borders that are more than a line, with their kinds. */
    borders: [string, string, string][]
    /** Whether what leaves the sheet on the right comes in again on the left. */
    wrap: boolean
    /** The spaces are hexes: at the edge of the sheet there is no coast. */
    hexes?: boolean
    /** Names that are written across the hexes of a country. */
    regions?: { name: string; at: Point; size: number }[]
  }
}
type Point2 = [string, string]
export type LinkKind = 'canal' | 'strait' | 'land' | 'air' | 'border'
interface Geometry {
  id: string
  type: 'Polygon' | 'MultiPolygon'
  arcs: number[][] | number[][][]
  properties?: {
    name?: string
    sea: boolean
    island?: boolean
    coast?: boolean
    terrain?: string
    region?: string
    weather?: boolean
    marks?: string[]
    number?: string
    label?: Point
    units: Point
    text?: { lines: string[]; at: Point; size: number }
  }
}

/** A space of the map. */
export interface Shape {
  id: string
  name: string
  sea: boolean
  /** Drawn as a circle round islands that are too small to be seen. */
  island: boolean
  /** A word of the vocabulary, where the map has terrain. */
  terrain: string
  /** The number that is printed in a hex. */
  number: string
  /** A hex with land and sea in it. */
  coast: boolean
  /** The country of a hex. */
  region: string
  /** Whether the seasons matter in a hex. */
  weather: boolean
  /** Symbols that are printed in a hex. */
  marks: string[]
  label: Point
  units: Point
  text: { lines: string[]; at: Point; size: number }
  /** Rings as indexes of arcs, negative ones backwards; filled even-odd. */
  rings: number[][]
  box: Box
}

/** On a map of hexes `coast` runs through them, `frontier` parts countries and `weather` is the edge
 *  of the area that has seasons. */
export type LineKind = 'coast' | 'border' | 'sea' | 'closed' | 'frontier' | 'weather'
export interface Line {
  kind: LineKind
  points: Float64Array
  box: Box
}
export interface Connector {
  pair: Point2
  kind: LinkKind
  by: Point[]
}

/** How much detail is left out, in units of the sheet; see `lodOf`. */
const LODS = [0, 0.7, 1.7, 6] as const

/** The level of detail for a scale in device pixels per unit of the sheet. */
export function lodOf(scale: number): number {
  return scale >= 1.2 ? 0 : scale >= 0.55 ? 1 : scale >= 0.2 ? 2 : 3
}

/** A border that is shorter, in units of the sheet, cannot be seen and joins nothing. */
const SHORTEST = 2

export class Sheet {
  readonly width: number
  readonly top: number
  readonly height: number
  readonly wrap: boolean
  /** After so much the sheet is there again; where it does not go round, after more than is ever
   *  seen. */
  readonly turn: number
  readonly shapes: Map<string, Shape>
  /** Land of nobody, and the true islands inside circles, piece by piece. */
  readonly land: Shape[]
  readonly islets: Shape[]
  /** The land in hexes that are not all land or all sea. */
  readonly shores: Map<string, Shape>
  readonly regions: { name: string; at: Point; size: number }[]
  readonly hexes: boolean
  readonly lines: Line[]
  readonly connectors: Connector[]
  readonly views: Record<string, Box>
  readonly neighbours: Map<string, Set<string>>
  readonly borders: Border[]
  private readonly arcs: Float64Array[][]
  private readonly edges: Borders
  private readonly between = new Map<string, Float64Array[]>()
  private readonly paths = new Map<string, Path2D>()
  private readonly thinned = new Map<Line, Float64Array[]>()
  private readonly outlines = new Map<string, number[][]>()

  constructor(file: TopoFile) {
    const { width, top, height, views, connectors, closed, hexes = false } = file.sheet
    this.width = width
    this.top = top
    this.height = height
    this.wrap = file.sheet.wrap
    this.hexes = hexes
    this.regions = file.sheet.regions ?? []
    this.turn = this.wrap ? width : ENDLESS
    this.borders = file.sheet.borders.map(([a, b, kind]) => ({ pair: [a, b], kind }))
    this.connectors = connectors
    this.views = Object.fromEntries(
      Object.entries(views).map(([name, [x, y, w, h]]) => [name, [x, y, x + w, y + h]]),
    )
    const unit = file.transform.scale[0]
    const arcs = file.arcs.map((arc) => absolute(arc, unit))
    this.arcs = LODS.map((distance) => arcs.map((arc) => thin(arc, distance)))
    const shape = (geometry: Geometry) => this.shape(geometry)
    this.shapes = new Map(file.objects.spaces.geometries.map((g) => [g.id, shape(g)]))
    const pieces = (layer: 'land' | 'islets') =>
      file.objects[layer].geometries.flatMap((g) =>
        polygonsOf(g).map((arcs, i) => shape({ id: `${layer} ${i}`, type: 'Polygon', arcs })),
      )
    this.land = pieces('land')
    this.islets = pieces('islets')
    this.shores = new Map(
      (file.objects.shores?.geometries ?? []).map((g) => {
        const piece = shape({ id: `shore ${g.id}`, type: g.type, arcs: g.arcs })
        return [g.id, piece]
      }),
    )
    const shut = new Set(closed.map(([a, b]) => `${a} ${b}`))
    const around = Math.round(this.turn / unit)
    const borders = new Borders(file.arcs, arcs, [...this.shapes.values()], around)
    this.edges = borders
    this.lines = borders.lines(shut, hexes, this.shores.size > 0)
    for (const [id, shore] of this.shores) this.lines.push(...this.coastOf(id, shore))
    this.neighbours = new Map([...this.shapes.keys()].map((id) => [id, new Set()]))
    const join = (a: string, b: string) => {
      this.neighbours.get(a)?.add(b)
      this.neighbours.get(b)?.add(a)
    }
    for (const [both, length] of borders.lengths) {
      const [a, b] = both.split(' ') as Point2
      if (length * unit >= SHORTEST && !shut.has(both)) join(a, b)
    }
    for (const { pair } of connectors) join(...pair)
  }

  /** The outline of a shape as a path in units of the sheet. */
  path(shape: Shape, lod: number): Path2D {
    const key = `${lod} ${shape.id}`
    let path = this.paths.get(key)
    if (!path) {
      path = new Path2D()
      for (const ring of this.ringsOf(shape, lod)) trace(path, ring, true)
      this.paths.set(key, path)
    }
    return path
  }

  /** The points of a line at a level of detail. */
  points(line: Line, lod: number): Float64Array {
    let levels = this.thinned.get(line)
    if (!levels) {
      levels = LODS.map((distance) => thin(line.points, distance))
      this.thinned.set(line, levels)
    }
    return levels[lod]!
  }

  /** The border of two spaces, as lines on the side of the first. */
  border(a: string, b: string): Float64Array[] {
    const key = `${a} ${b}`
    let found = this.between.get(key)
    if (!found) {
      const shape = this.shapes.get(a)
      this.between.set(key, (found = shape ? this.edges.between(shape, b) : []))
    }
    return found
  }

  /** Where a line through some spaces goes: from the place of one to that of the next, the short way
   *  round. */
  way(path: string[]): Point[] {
    const points: Point[] = []
    for (const id of path) {
      const shape = this.shapes.get(id)
      if (!shape) continue
      const [x, y] = shape.units
      const last = points[points.length - 1]?.[0] ?? x
      points.push([last + nearest(x - last, this.turn), y])
    }
    return points
  }

  /** The space at a point of the sheet, in whichever copy of the globe. */
  at(x: number, y: number): Shape | null {
    for (const shape of this.shapes.values()) {
      const [left, top, right, bottom] = shape.box
      if (y < top || y > bottom) continue
      for (const turn of [-1, 0, 1]) {
        const px = wrap(x, this.turn) + turn * this.turn
        if (px >= left && px <= right && this.inside(shape, px, y)) return shape
      }
    }
    return null
  }

  /** The neighbour that lies in a direction (dx, dy), if there is one within 60 degrees of it. */
  toward(
    id: string,
    dx: number,
    dy: number,
    among: { has(id: string): boolean } = this.shapes,
  ): string | null {
    const from = this.shapes.get(id)
    if (!from) return null
    let best: string | null = null
    let least = Infinity
    for (const other of this.neighbours.get(id) ?? []) {
      const to = this.shapes.get(other)!
      if (!among.has(other)) continue
      const x = nearest(to.units[0] - from.units[0], this.turn)
      const y = to.units[1] - from.units[1]
      const away = Math.hypot(x, y) || 1
      const along = (x * dx + y * dy) / away
      if (along < 0.5) continue
      const cost = away * (1 + 2.5 * (1 - along))
      if (cost < least) [best, least] = [other, cost]
    }
    return best
  }

  /** Whether a box round a point lies in a shape, as far as a few of its points tell. */
  holds(shape: Shape, x: number, y: number, width: number, height: number): boolean {
    const [left, top, right, bottom] = shape.box
    if (x - width / 2 < left || x + width / 2 > right) return false
    if (y - height / 2 < top || y + height / 2 > bottom) return false
    return [-0.5, 0.5, 0, -0.25, 0.25].every((across) =>
      [-0.5, 0.5].every((along) => this.inside(shape, x + across * width, y + along * height, 2)),
    )
  }

  /** Whether a point of the sheet lies in a shape. */
  inside(shape: Shape, x: number, y: number, lod = 0): boolean {
    let odd = false
    const key = `${lod} ${shape.id}`
    let rings = this.outlines.get(key)
    if (!rings) this.outlines.set(key, (rings = this.ringsOf(shape, lod)))
    for (const ring of rings) {
      const n = ring.length
      for (let i = 0, j = n - 2; i < n; j = i, i += 2) {
        const [ax, ay, bx, by] = [ring[i]!, ring[i + 1]!, ring[j]!, ring[j + 1]!]
        if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd
      }
    }
    return odd
  }

  /** The outline of a shape as rings of points. */
  ringsOf(shape: Shape, lod: number): number[][] {
    const arcs = this.arcs[lod]!
    return shape.rings.map((ring) => {
      const points: number[] = []
      for (const index of ring) {
        const arc = arcs[index < 0 ? ~index : index]!
        const n = arc.length / 2
        for (let i = points.length > 0 ? 1 : 0; i < n; i++) {
          const at = 2 * (index < 0 ? n - 1 - i : i)
          points.push(arc[at]!, arc[at + 1]!)
        }
      }
      return points
    })
  }

  /** The parts of the land in a hex that are no hexside. */
  private coastOf(id: string, shore: Shape): Line[] {
    const hex = this.ringsOf(this.shapes.get(id)!, 0)[0]!
    const n = hex.length
    /** Which hexside both points lie on, if any. */
    const onSide = (ax: number, ay: number, bx: number, by: number) => {
      for (let i = 0; i < n; i += 2) {
        const [px, py, qx, qy] = [hex[i]!, hex[i + 1]!, hex[(i + 2) % n]!, hex[(i + 3) % n]!]
        const long = Math.hypot(qx - px, qy - py)
        const off = (x: number, y: number) =>
          Math.abs((qx - px) * (y - py) - (qy - py) * (x - px)) / long
        if (off(ax, ay) < 0.16 && off(bx, by) < 0.16) return true
      }
      return false
    }
    const found: Line[] = []
    for (const ring of this.ringsOf(shore, 0)) {
      let run: number[] = []
      const end = () => {
        if (run.length >= 4) {
          const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
          widen(box, run)
          found.push({ kind: 'coast', points: Float64Array.from(run), box })
        }
        run = []
      }
      for (let i = 0; i + 3 < ring.length; i += 2) {
        const [ax, ay, bx, by] = [ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!]
        if (onSide(ax, ay, bx, by)) end()
        else run.push(...(run.length ? [bx, by] : [ax, ay, bx, by]))
      }
      end()
    }
    return found
  }

  private shape(geometry: Geometry): Shape {
    const rings = polygonsOf(geometry).flat()
    const told = geometry.properties
    const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
    for (const index of rings.flat()) widen(box, this.arcs[0]![index < 0 ? ~index : index]!)
    return {
      id: geometry.id,
      name: told ? (told.name ?? geometry.id) : '',
      sea: told?.sea ?? false,
      island: told?.island ?? false,
      terrain: told?.terrain ?? '',
      number: told?.number ?? (told && this.hexes ? geometry.id : ''),
      coast: told?.coast ?? false,
      region: told?.region ?? '',
      weather: told?.weather ?? false,
      marks: told?.marks ?? [],
      label: told?.label ?? told?.units ?? [0, 0],
      units: told?.units ?? [0, 0],
      text: told?.text ?? { lines: [], at: told?.units ?? [0, 0], size: 0 },
      rings,
      box,
    }
  }
}

function polygonsOf(geometry: Geometry): number[][][] {
  return (geometry.type === 'Polygon' ? [geometry.arcs] : geometry.arcs) as number[][][]
}

/** Who shares which piece of border, also where the two sides lie at opposite ends of the sheet. */
class Borders {
  /** Pair of spaces, the smaller id first, to the length of their border. */
  readonly lengths = new Map<string, number>()
  private readonly owners = new Map<number, string[]>()
  private readonly numbers = new Map<number, number>()
  private readonly used = new Set<number>()

  constructor(
    private readonly file: Point[][],
    private readonly arcs: Float64Array[],
    private readonly shapes: Shape[],
    private readonly turn: number,
  ) {
    for (const shape of shapes) {
      for (const index of shape.rings.flat()) {
        const arc = index < 0 ? ~index : index
        this.used.add(arc)
        this.each(arc, (key, length) => {
          const owners = this.owners.get(key)
          if (!owners) this.owners.set(key, [shape.id])
          else if (!owners.includes(shape.id)) {
            owners.push(shape.id)
            const both = owners.sort().join(' ')
            this.lengths.set(both, (this.lengths.get(both) ?? 0) + length)
          }
        })
      }
    }
  }

  /** Every border as lines, by what it parts. The outer edge of the sea is no line. */
  lines(closed: Set<string>, hexes: boolean, shores: boolean): Line[] {
    const known = new Map(this.shapes.map((shape) => [shape.id, shape]))
    const kindOf = (owners: string[]): LineKind | null => {
      const wet = owners.filter((id) => known.get(id)!.sea).length
      if (owners.length === 1) return hexes ? (wet ? 'sea' : 'border') : wet ? null : 'coast'
      if (closed.has(owners.join(' '))) return 'closed'
      return wet === 2 ? 'sea' : wet === 0 ? 'border' : shores ? 'sea' : 'coast'
    }
    const onTop = (kind: LineKind, apart: (a: Shape, b: Shape) => boolean) => (owners: string[]) =>
      owners.length === 2 && apart(known.get(owners[0]!)!, known.get(owners[1]!)!) ? kind : null
    const frontier = onTop('frontier', (a, b) => !!a.region && !!b.region && a.region !== b.region)
    const weather = onTop('weather', (a, b) => a.weather !== b.weather)
    const kinds = hexes ? [kindOf, frontier, weather] : [kindOf]
    return [...this.used].flatMap((arc) =>
      kinds.flatMap((tell) =>
        this.runs(arc, tell).map(([kind, points]) => {
          const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
          widen(box, points)
          return { kind, points, box }
        }),
      ),
    )
  }

  /** The parts of a shape's outline that it shares with another one. */
  between(shape: Shape, other: string): Float64Array[] {
    const arcs = shape.rings.flat().map((index) => (index < 0 ? ~index : index))
    const shared = (owners: string[]) => (owners.includes(other) ? true : null)
    return arcs.flatMap((arc) => this.runs(arc, shared).map(([, points]) => points))
  }

  /** The parts of an arc that are alike, by what is told of those who have them. */
  private runs<T>(arc: number, tell: (owners: string[]) => T | null): [T, Float64Array][] {
    const found: [T, Float64Array][] = []
    const points = this.arcs[arc]!
    let now: T | null = null
    let from = 0
    const end = (to: number) => {
      if (now !== null) found.push([now, points.slice(2 * from, 2 * to + 2)])
      from = to
    }
    this.each(arc, (key, _, i) => {
      const next = tell(this.owners.get(key)!)
      if (next === now) return
      end(i)
      now = next
    })
    end(points.length / 2 - 1)
    return found
  }

  private each(arc: number, tell: (key: number, length: number, i: number) => void): void {
    let x = 0
    let y = 0
    let before = -1
    this.file[arc]!.forEach(([dx, dy], i) => {
      x += dx
      y += dy
      const place = wrap(x, this.turn) * 32768 + y
      let number = this.numbers.get(place)
      if (number === undefined) this.numbers.set(place, (number = this.numbers.size))
      if (i > 0) {
        const key = Math.min(before, number) * 131072 + Math.max(before, number)
        tell(key, Math.hypot(dx, dy), i - 1)
      }
      before = number
    })
  }
}

/** Farther than anything on a sheet that does not go round. */
const ENDLESS = 1e6

/** `x` in the copy of the sheet that begins at 0. */
export function wrap(x: number, width: number): number {
  return ((x % width) + width) % width
}

/** A distance along the globe, the short way round. */
export function nearest(dx: number, width: number): number {
  return dx - Math.round(dx / width) * width
}

/** Add points to a path. */
export function trace(
  to: Path2D | OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D,
  points: ArrayLike<number>,
  close = false,
): void {
  for (let i = 0; i < points.length; i += 2) {
    if (i === 0) to.moveTo(points[0]!, points[1]!)
    else to.lineTo(points[i]!, points[i + 1]!)
  }
  if (close) to.closePath()
}

function absolute(arc: Point[], unit: number): Float64Array {
  const points = new Float64Array(2 * arc.length)
  let x = 0
  let y = 0
  arc.forEach(([dx, dy], i) => {
    x += dx
    y += dy
    points[2 * i] = x * unit
    points[2 * i + 1] = y * unit
  })
  return points
}

/** A line without points that are nearer than `distance` to the one before; its ends stay, and what
 *  is closed keeps three corners. */
function thin(points: Float64Array, distance: number): Float64Array {
  const n = points.length / 2
  if (distance === 0 || n <= 4) return points
  const kept = [0]
  for (let i = 1; i < n - 1; i++) {
    const last = kept[kept.length - 1]!
    const dx = points[2 * i]! - points[2 * last]!
    const dy = points[2 * i + 1]! - points[2 * last + 1]!
    if (dx * dx + dy * dy >= distance * distance) kept.push(i)
  }
  kept.push(n - 1)
  const closed = points[0] === points[2 * n - 2] && points[1] === points[2 * n - 1]
  const those =
    closed && kept.length < 4 ? [0, Math.floor(n / 3), Math.floor((2 * n) / 3), n - 1] : kept
  return Float64Array.from(those.flatMap((i) => [points[2 * i]!, points[2 * i + 1]!]))
}

function widen(box: Box, points: ArrayLike<number>): void {
  for (let i = 0; i < points.length; i += 2) {
    box[0] = Math.min(box[0], points[i]!)
    box[1] = Math.min(box[1], points[i + 1]!)
    box[2] = Math.max(box[2], points[i]!)
    box[3] = Math.max(box[3], points[i + 1]!)
  }
}

const loaded = new Map<string, Promise<{ file: TopoFile; sheet: Sheet }>>()

/** The map of a game, from the server; read once. */
export function loadSheet(game: string): Promise<{ file: TopoFile; sheet: Sheet }> {
  let found = loaded.get(game)
  if (!found) {
    found = fetch(`/api/maps/${encodeURIComponent(game)}`).then(async (answer) => {
      if (!answer.ok) throw new Error('The map could not be loaded. Try to load the page again.')
      const file = (await answer.json()) as TopoFile
      return { file, sheet: new Sheet(file) }
    })
    found.catch(() => loaded.delete(game))
    loaded.set(game, found)
  }
  return found
}
