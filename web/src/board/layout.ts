// Where pieces and names stand at a scale: what fits without covering anything else. Pieces that do
// not fit shrink to one counter with a number for each power, names that do not fit wait for a
// larger scale. Places are offsets in pixels from a point of the sheet, so that everything keeps its
// size while the map is moved and zoomed.

import type { Mark, Picture, Space, Stack } from '../lib/types'
import { WORDS } from '../lib/vocabulary'
import { nearest, wrap, type Sheet, type Shape } from './sheet'

/** A counter as it is drawn: pieces that look alike. */
export interface Counter {
  symbol: string
  /** The second of the types that a pile is mostly made of. */
  second: string
  power: string
  count: number
  size: number
  /** The number is printed on it, below the symbol. */
  printed: boolean
  /** It stands for several that lie on each other. */
  stacked: boolean
  states: string[]
  cargo: { symbol: string; power: string }[]
}
export interface Placed {
  /** Left top corner, from the anchor of the group. */
  dx: number
  dy: number
  counter: Counter
}
/** The pieces in a space. `side` is the size of a counter; a sum has one counter for each power. */
export interface Group {
  id: string
  x: number
  y: number
  box: Rect
  side: number
  sum: boolean
  placed: Placed[]
}
/** A name with its marks; `dx`, `dy` is the middle. */
export interface Label {
  id: string
  x: number
  y: number
  dx: number
  dy: number
  width: number
  height: number
  lines: string[]
  font: number
  sea: boolean
  marks: Mark[]
  /** A point of the sheet that a thin line leads to from a name that stands beside its space. */
  leader: [number, number] | null
}
export interface Layout {
  scale: number
  groups: Group[]
  labels: Label[]
}
/** Left, top, width, height. */
export type Rect = [number, number, number, number]

export type Measure = (text: string, font: number, sea: boolean) => number

/** Distance of two lines of a name, in parts of its size. */
export const LINE = 1.12
/** Between two marks. */
export const MARK_GAP = 3
/** Between two counters. */
const GAP = 3
/** Of a counter that can still be read. */
const LEAST_SIDE = 11
/** Of the number of pieces, on a label that is a little higher. */
const LEAST_FONT = 11

/** The side of a counter at a scale. */
function sideAt(scale: number): number {
  const steps: [number, number][] = [[0.3, 15], [0.45, 17], [0.6, 20], [0.85, 23], [1.2, 26], [1.8, 29], [2.6, 33]] // prettier-ignore
  return steps.find(([below]) => scale < below)?.[1] ?? 36
}

/** The width of a counter: a size or a second symbol stands beside the symbol. */
export function counterWidth(counter: Counter, side: number): number {
  return counter.size > 0 || counter.second ? Math.round(side * 1.42) : side
}

/** The label with the number of pieces, at the lower right of a counter: its font and its width. */
export function countLabel(counter: Counter, side: number): { font: number; width: number } {
  const font = Math.max(LEAST_FONT, Math.round(side * 0.42))
  return { font, width: font * (0.5 + 0.58 * `${counter.count}`.length) }
}

/** How far that label stands out to the right, so that it leaves the symbol and the size to be seen. */
export function overhang(counter: Counter, side: number): number {
  if (counter.count < 2 || counter.printed) return 0
  const { width } = countLabel(counter, side)
  const wide = counter.size > 0 || counter.second
  return Math.max(3, Math.round(width - (wide ? 5 : side * 0.5)))
}

/** The scale that a layout is made for: a step below the true one, so that nothing comes nearer to
 *  each other than it was planned. */
export function stepOf(scale: number): number {
  return 2 ** (Math.floor(Math.log2(scale) * 5) / 5)
}

/** The height of marks beside a name of that size. */
export function markSide(font: number): number {
  return Math.round(font * 1.15)
}

/** The width of a mark: its symbol and what is written beside it. */
export function markWidth(mark: Mark, font: number, measure: Measure): number {
  const side = markSide(font)
  const text = mark.text ? measure(mark.text, font * 0.9, false) : 0
  if (mark.symbol === 'ipc') return Math.max(side, text + 6)
  return side + (text ? text + 1 : 0)
}

/** Where everything stands. Names stay where they were `before`, at the same scale, unless pieces
 *  need the place. */
export function layOut(
  sheet: Sheet,
  picture: Picture,
  scale: number,
  measure: Measure,
  before: Label[] = [],
): Layout {
  const groups = placePieces(sheet, picture, scale, before)
  return { scale, groups, labels: placeLabels(sheet, picture, scale, groups, measure, before) }
}

// --- pieces ---------------------------------------------------------------------------------------

function placePieces(sheet: Sheet, picture: Picture, scale: number, before: Label[]): Group[] {
  const side = sideAt(scale)
  const names = new Field(sheet.turn, scale)
  for (const label of before) names.name(label)
  const groups: Group[] = []
  const field = new Field(sheet.turn, scale)
  const shapes = Object.entries(picture.spaces)
    .map(([id, space]) => ({ shape: sheet.shapes.get(id), stacks: space.stacks ?? [] }))
    .filter(
      (each): each is { shape: Shape; stacks: Stack[] } => !!each.shape && each.stacks.length > 0,
    )
  // Everything has room for its sums; whoever has more room shows all its counters.
  const small = Math.max(14, Math.round(side * 0.8))
  for (const { shape, stacks } of shapes) {
    let group = arrange(shape, sums(stacks), small, true)
    // In a narrow hex one symbol has to do, and a row of hexes is lower than they are wide, lest
    // stacks lie on each other.
    const wide = (shape.box[2] - shape.box[0]) * scale
    const printed = group.placed.every(({ counter }) => counter.printed)
    if (printed && group.box[2] > wide) {
      const lean = sums(stacks).map((each) => ({ ...each, second: '' }))
      group = arrange(shape, lean, small, true)
    }
    const low = Math.floor(wide * 0.86) - GAP
    if (printed && low < small) {
      const lean = group.placed.map(({ counter }) => counter)
      group = arrange(shape, lean, Math.max(LEAST_SIDE, low), true)
    }
    if (!nudge(sheet, field, group, scale, small, true)) {
      nudge(sheet, field, group, scale, small, false)
    }
    field.add(group)
    groups.push(group)
  }
  const wishes = shapes.map(({ shape, stacks }, i) => {
    const counters = countersOf(stacks)
    const full = arrange(shape, counters, side, false)
    return { i, shape, counters, full, need: (full.box[2] * full.box[3]) / areaOf(shape, scale) }
  })
  wishes.sort((a, b) => a.need - b.need)
  for (const { i, shape, counters, full } of wishes) {
    field.remove(groups[i]!)
    const sides = side > 18 ? [side, Math.round(side * 0.82)] : [side]
    const sizes = sides
      .map((each) => (each === side ? full : arrange(shape, counters, each, false)))
      .filter((group) => belongs(group, shape, scale))
    const fit = (group: Group, beside?: Field) =>
      nudge(sheet, field, group, scale, group.side * 0.6, true, beside)
    // Rather beside the names that are there; but a name gives way before pieces become a sum.
    const fits =
      (before.length && sizes.find((group) => fit(group, names))) ||
      sizes.find((group) => fit(group))
    if (fits) groups[i] = fits
    field.add(groups[i]!)
  }
  return groups
}

/** Pieces as counters: those that look alike together. */
export function countersOf(stacks: Stack[]): Counter[] {
  const found = new Map<string, Counter>()
  for (const stack of stacks) {
    for (const piece of stack.pieces) {
      const counter: Counter = {
        symbol: piece.symbol,
        second: '',
        power: piece.power || stack.power,
        count: piece.count ?? 1,
        size: piece.size ?? 0,
        printed: piece.printed ?? false,
        stacked: false,
        states: piece.states ?? [],
        cargo: (piece.cargo ?? []).flatMap((each) =>
          Array.from({ length: Math.min(3, each.count ?? 1) }, () => ({
            symbol: each.symbol,
            power: each.power || piece.power || stack.power,
          })),
        ),
      }
      const key = JSON.stringify({ ...counter, count: 0 })
      const same = found.get(key)
      if (same) same.count += counter.count
      else found.set(key, counter)
    }
  }
  return [...found.values()]
}

/** One counter for each power, with the number of its pieces and the two types that most of them
 *  are of. */
export function sums(stacks: Stack[]): Counter[] {
  return stacks.map((stack) => {
    const counters = countersOf([stack])
    if (counters.length === 1) return counters[0]!
    const types = new Map<string, number>()
    for (const { symbol, count } of counters) types.set(symbol, (types.get(symbol) ?? 0) + count)
    const [symbol, second = ''] = [...types.keys()].sort((a, b) => types.get(b)! - types.get(a)!)
    const printed = counters[0]!.printed
    return {
      symbol: symbol!,
      second,
      power: stack.power,
      count: counters.reduce((sum, each) => sum + each.count, 0),
      size: 0,
      printed,
      stacked: printed,
      states: [],
      cargo: [],
    }
  })
}

function arrange(shape: Shape, counters: Counter[], side: number, sum: boolean): Group {
  const [wide, high] = [shape.box[2] - shape.box[0], shape.box[3] - shape.box[1]]
  const aspect = Math.min(2.6, Math.max(0.8, (wide / high) * 1.3))
  const columns = Math.max(1, Math.round(Math.sqrt(counters.length * aspect)))
  const rows: Counter[][] = [[]]
  const powers = new Set(counters.map((each) => each.power)).size
  for (const counter of counters) {
    const row = rows[rows.length - 1]!
    const breaks = powers > 1 && counters.length > 3 && row[0] && row[0].power !== counter.power
    if (row.length >= columns || (breaks && !sum)) rows.push([counter])
    else row.push(counter)
  }
  const room = (counter: Counter) => counterWidth(counter, side) + overhang(counter, side)
  const widths = rows.map((row) => row.reduce((sum, each) => sum + room(each) + GAP, -GAP))
  const width = Math.max(...widths)
  // Room for the labels that stand out below.
  const below = counters.some((each) => each.count > 1 && !each.printed) ? GAP + 2 : GAP
  const heights = rows.map((row) => Math.round(side * (row.some((c) => c.cargo.length) ? 1.4 : 1)))
  const height = heights.reduce((a, b) => a + b + below, -below)
  let dy = -height / 2
  const placed: Placed[] = []
  rows.forEach((row, r) => {
    let dx = -widths[r]! / 2
    for (const counter of row) {
      placed.push({ dx: Math.round(dx), dy: Math.round(dy), counter })
      dx += room(counter) + GAP
    }
    dy += heights[r]! + below
  })
  const box: Rect = [-width / 2, -height / 2, width, height]
  return { id: shape.id, x: shape.units[0], y: shape.units[1], box, side, sum, placed }
}

/** Whether counters are not much larger than their space, so that it is clear where they are. */
function belongs(group: Group, shape: Shape, scale: number): boolean {
  const [left, top, right, bottom] = shape.box
  const spare = group.side * (shape.island ? 3 : 1.2)
  return (
    group.box[2] <= (right - left) * scale + spare && group.box[3] <= (bottom - top) * scale + spare
  )
}

function areaOf(shape: Shape, scale: number): number {
  const [left, top, right, bottom] = shape.box
  return (right - left) * (bottom - top) * scale * scale
}

const WAYS = [[0, 0], [0, 1], [0, -1], [1, 0], [-1, 0], [1, 1], [-1, 1], [1, -1], [-1, -1]] as const // prettier-ignore

/** Move a group a little, if it has to be, to where it covers nothing and its middle is in its own
 *  space, or anywhere near if it is not `at home`. */
function nudge(
  sheet: Sheet,
  field: Field,
  group: Group,
  scale: number,
  step: number,
  home: boolean,
  beside?: Field,
): boolean {
  const shape = sheet.shapes.get(group.id)!
  for (const part of [1, 0.5]) {
    for (const [x, y] of WAYS) {
      const [dx, dy] = [x * step * part, y * step * part]
      const [left, top, w, h] = [group.box[0] + dx, group.box[1] + dy, group.box[2], group.box[3]]
      const middle = [group.x + (left + w / 2) / scale, group.y + (top + h / 2) / scale] as const
      const [atX, atY] = [group.x * scale + left, group.y * scale + top]
      if (!field.free(atX, atY, w, h) || beside?.free(atX, atY, w, h) === false) continue
      if (home && (x || y) && !sheet.inside(shape, ...middle, 2)) continue
      for (const each of group.placed) {
        each.dx += Math.round(dx)
        each.dy += Math.round(dy)
      }
      group.box = [left, top, w, h]
      return true
    }
  }
  return false
}

// --- names ----------------------------------------------------------------------------------------

/** The sizes of names: few, so that zooming draws few of them anew. */
const FONTS = [10, 11.5, 13, 15]
const important = (mark: Mark) => !!WORDS.symbols[mark.symbol]?.important
/** What a space is known for: a name with such a sign comes before others. */
const WEIGHTS: Record<string, number> = { capital: 30, city: 20, supply_center: 20, factory: 10 }
const weight = (marks: Mark[]) => Math.max(0, ...marks.map((mark) => WEIGHTS[mark.symbol] ?? 0))
/** Shown even on a map of the whole world. */
const famous = (mark: Mark) => weight([mark]) >= 20

function placeLabels(
  sheet: Sheet,
  picture: Picture,
  scale: number,
  groups: Group[],
  measure: Measure,
  before: Label[],
): Label[] {
  const field = new Field(sheet.turn, scale)
  for (const group of groups) field.add(group)
  const own = new Map(groups.map((group) => [group.id, group]))
  const labels = before.filter(
    (label) => tellsAll(label, picture.spaces[label.id]) && field.freeFor(label),
  )
  for (const label of labels) field.name(label)
  const kept = new Set(labels.map((label) => label.id))
  const shapes = Object.keys(picture.spaces)
    .map((id) => sheet.shapes.get(id))
    .filter((shape): shape is Shape => !!shape && !kept.has(shape.id))
    .sort((a, b) => rank(b, picture.spaces[b.id]!) - rank(a, picture.spaces[a.id]!))
  for (const shape of shapes) {
    const label = labelOf(
      sheet,
      shape,
      picture.spaces[shape.id]!,
      scale,
      own.get(shape.id),
      field,
      measure,
    )
    if (!label) continue
    labels.push(label)
    field.name(label)
  }
  return labels
}

/** Whether a label says all that is to be said of its space. */
function tellsAll(label: Label, space: Space | undefined): boolean {
  return label.lines.length > 0 && JSON.stringify(label.marks) === JSON.stringify(beside(space))
}

/** The marks that stand beside the name of a space. */
const beside = (space: Space | undefined) => (space?.marks ?? []).filter((mark) => !isBadge(mark))

/** Whether a mark stands at the pieces of its space. */
export const isBadge = (mark: Mark) => !!WORDS.symbols[mark.symbol]?.badge

function rank(shape: Shape, space: Space): number {
  const known = weight(space.marks ?? [])
  return shape.text.size + known + (shape.sea ? -8 : 0) + Math.sqrt(areaOf(shape, 1)) / 60
}

function labelOf(
  sheet: Sheet,
  shape: Shape,
  space: Space,
  scale: number,
  group: Group | undefined,
  field: Field,
  measure: Measure,
): Label | null {
  const natural = shape.text.size * scale
  const usual = FONTS.findLast((size) => size <= natural) ?? FONTS[0]!
  const marks = beside(space)
  const wide = (shape.box[2] - shape.box[0]) * scale
  const capital = marks.some((mark) => mark.symbol === 'capital')
  const spill = shape.sea ? 1 : capital ? 3 : 1.3
  const lists = [marks, marks.filter(important), marks.filter(famous), []]
  const choices = lists.filter((list, i) => i === 0 || list.length < lists[i - 1]!.length)
  const [tx, ty] = shape.text.at
  const off = Math.hypot(tx - shape.label[0], ty - shape.label[1])
  /** A name for which the map has no room inside stands beside its space, with a line to it. */
  const outside = off > shape.text.size * 1.2 && !shape.island && !shape.sea
  const far = natural < 4.5 && !capital
  const words = { lines: shape.text.lines, named: true, at: shape.text.at, inside: far }
  const tries = [words, { ...words, lines: [] as string[], named: false, inside: false }]
  if (outside) {
    const split = shape.name.split(/(?<=-)|\s+/)
    for (const lines of [split, shape.text.lines]) {
      tries.unshift({ lines, named: true, at: shape.label, inside: true })
    }
  }
  for (const { lines, named, at, inside } of tries) {
    for (const list of choices) {
      // Without a name only what matters for the war is shown.
      if (!named && !(list.length && list.every(important))) continue
      if (!lines.length && !list.length) continue
      // The whole world shows names, and where they have no room what a place is known for.
      if (far && (named ? list.length > 0 : !list.every(famous))) continue
      const font = inside ? Math.min(usual, FONTS[1]!) : usual
      const text = lines.map((line) => measure(line, font, shape.sea))
      const row = list.reduce(
        (sum, mark) => sum + markWidth(mark, font, measure) + MARK_GAP,
        -MARK_GAP,
      )
      const width = Math.max(0, row, ...text)
      const high = lines.length * font * LINE
      const below = list.length ? markSide(font) + (named ? 1 : 0) : 0
      const height = high + below
      // A name that is much wider than its space would be taken for that of another one.
      if (natural < font && width > wide * spill + 8 && !shape.island) continue
      const [mx, my] = [(at[0] - shape.units[0]) * scale, (at[1] - shape.units[1]) * scale]
      const places: [number, number][] = [[mx, inside ? my : my + below / 2]]
      if (!inside && below) places.push([mx, my - below / 2])
      if (group) {
        const [left, top, w, h] = group.box
        const middle = left + w / 2
        places.push([middle, top - height / 2 - 2], [middle, top + h + height / 2 + 3])
        if (!named) {
          const aside = w / 2 + width / 2 + 2
          places.push([middle + aside, top + h / 2], [middle - aside, top + h / 2])
        }
      } else if (!inside && (!named || !shape.island)) places.push([0, 0])
      for (const [i, [dx, dy]] of places.entries()) {
        const [x, y] = [shape.units[0] * scale + dx, shape.units[1] * scale + dy]
        if (!field.free(x - width / 2, y - height / 2, width, height)) continue
        const room = [x / scale, y / scale, (width + 4) / scale, height / scale] as const
        if (inside && !sheet.holds(shape, ...room)) continue
        return {
          id: shape.id,
          x: shape.units[0],
          y: shape.units[1],
          dx,
          dy,
          width,
          height,
          lines,
          font,
          sea: shape.sea,
          marks: list,
          leader: outside && named && !inside && i === 0 ? shape.label : null,
        }
      }
    }
  }
  return null
}

/** About the size of a cell of a field, in pixels. */
const CELL = 64

interface Taken {
  rect: Rect
  gone: boolean
}

/** Rectangles on a sheet that goes round, in pixels at a scale; found by the cells that they lie in. */
class Field {
  private readonly cells = new Map<number, Taken[]>()
  private readonly groups = new Map<string, Taken>()
  private readonly width: number
  private readonly columns: number

  constructor(
    width: number,
    private readonly scale: number,
  ) {
    this.width = width * scale
    this.columns = Math.max(1, Math.floor(this.width / CELL))
  }

  add(group: Group): void {
    const [left, top, w, h] = group.box
    const taken = this.take(group.x * this.scale + left, group.y * this.scale + top, w, h)
    this.groups.set(group.id, taken)
  }

  name(label: Label): void {
    this.take(...this.rectOf(label))
  }

  freeFor(label: Label): boolean {
    return this.free(...this.rectOf(label))
  }

  private rectOf({ x, y, dx, dy, width, height }: Label): Rect {
    return [x * this.scale + dx - width / 2, y * this.scale + dy - height / 2, width, height]
  }

  take(left: number, top: number, w: number, h: number): Taken {
    const taken: Taken = { rect: [left, top, w, h], gone: false }
    for (const cell of this.cellsOf(left, top, w, h)) {
      const there = this.cells.get(cell)
      if (there) there.push(taken)
      else this.cells.set(cell, [taken])
    }
    return taken
  }

  remove(group: Group): void {
    const taken = this.groups.get(group.id)
    if (taken) taken.gone = true
  }

  free(left: number, top: number, w: number, h: number): boolean {
    for (const cell of this.cellsOf(left - 1, top - 1, w + 2, h + 2)) {
      for (const {
        rect: [l, t, ow, oh],
        gone,
      } of this.cells.get(cell) ?? []) {
        if (gone || Math.abs(top + h / 2 - (t + oh / 2)) >= (h + oh) / 2 + 1) continue
        const dx = Math.abs(nearest(left + w / 2 - (l + ow / 2), this.width))
        if (dx < (w + ow) / 2 + 1) return false
      }
    }
    return true
  }

  private cellsOf(left: number, top: number, w: number, h: number): number[] {
    const found: number[] = []
    const wide = this.width / this.columns
    const last = Math.min(Math.floor((left + w) / wide), Math.floor(left / wide) + this.columns - 1)
    for (let x = Math.floor(left / wide); x <= last; x++) {
      const column = wrap(x, this.columns)
      for (let y = Math.floor(top / CELL); y <= Math.floor((top + h) / CELL); y++) {
        found.push(y * this.columns + column)
      }
    }
    return found
  }
}
