// The ground of the map: water, land, coasts, borders and connectors, drawn into a bitmap. It runs
// in a worker (ground.worker.ts), so that the map can be moved while it is drawn.

import { WORDS, type Stroke } from '../lib/vocabulary'
import type { Palette } from './palette'
import { lodOf, trace, type Box, type LineKind, type Point, type Shape, type Sheet } from './sheet'

export type Ink = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D

/** How a space is filled. `stripe` is the colour of its owner where another holds it; `pattern`, 1 to
 *  `PATTERNS`, tells powers apart without colour; `hatch` is for land that nobody may enter. In a hex
 *  with a coast only the land is filled. */
export interface Fill {
  colour: string
  stripe?: string
  pattern?: number
  hatch?: boolean
  /** The pattern of its terrain. */
  texture?: number
}
export const PATTERNS = 8
export interface Cover {
  fills: Record<string, Fill>
  borders: { pair: [string, string]; kind: string; colour: string }[]
  routes: Line[]
  colours: Palette['map']
  dark: boolean
}
interface Line {
  kind: string
  path: string[]
  colour: string
  state: '' | 'cut' | 'planned'
  label: string
}
/** A part of the sheet: its left top corner, its scale and its size in pixels. */
export interface Part {
  x: number
  y: number
  scale: number
  width: number
  height: number
  /** Device pixels per pixel: how thick a thin line is. */
  ratio: number
}

type Seen = (box: Box, margin?: number) => boolean
/** The bands of the shore: width and strength. */
const BANDS = [[1.9, 0.35], [0.9, 0.65]] as const // prettier-ignore
/** How much smaller the shore is drawn than the rest. */
const BLUR = 3
/** How much of a sheet that goes round fades into ice at its upper and at its lower edge. */
const POLAR = 0.035
/** How far spaces reach beyond the sheet, in its units. */
const BEYOND = 700

/** Draw a part of the ground. */
export function drawGround(ink: Ink, sheet: Sheet, cover: Cover, part: Part): void {
  const { colours } = cover
  const { scale, ratio } = part
  const lod = lodOf(scale)
  const thin = ratio / scale
  ink.setTransform(1, 0, 0, 1, 0, 0)
  ink.fillStyle = beyond(sheet, colours)
  ink.fillRect(0, 0, part.width, part.height)
  // Nothing is drawn beyond the upper and lower edge of the sheet.
  const [upper, lower] = [sheet.top, sheet.top + sheet.height].map((y) =>
    Math.round((y - part.y) * scale),
  )
  ink.save()
  ink.beginPath()
  ink.rect(0, upper!, part.width, lower! - upper!)
  ink.clip()
  ink.lineJoin = 'bevel'
  const each = (draw: (seen: Seen) => void) => eachCopy(ink, sheet, part, draw)
  const hatches = new Map<string, CanvasPattern | null>()
  const pattern = (colour: string, kind: number) => {
    const key = `${colour} ${kind}`
    if (!hatches.has(key)) hatches.set(key, hatch(ink, colour, kind, ratio))
    return hatches.get(key)!
  }
  const fill = (path: Path2D, how: Fill) => {
    ink.fillStyle = how.colour
    ink.fill(path, 'evenodd')
    const over = (colour: string, kind: number, alpha: number) => {
      const stripes = pattern(colour, kind)
      if (!stripes) return
      // Stripes are in pixels of the screen and hang on the sheet.
      stripes.setTransform(new DOMMatrix().scale(1 / scale))
      ink.globalAlpha = alpha
      ink.fillStyle = stripes
      ink.fill(path, 'evenodd')
      ink.globalAlpha = 1
    }
    if (how.stripe) over(how.stripe, STRIPE, 1)
    if (how.hatch) over(colours.hatch, 0, 0.7)
    else if (how.pattern) over(colours.ink, how.pattern, 0.11)
    if (how.texture) over(colours.ink, how.texture, 0.16)
  }
  const shapes = [...sheet.shapes.values()]
  /** Shapes as one path: without gaps where they touch. */
  const joined = (those: Shape[], seen: Seen) => {
    const path = new Path2D()
    for (const shape of those) if (seen(shape.box)) path.addPath(sheet.path(shape, lod))
    return path
  }
  /** A shore keeps its corners, so that those of neighbours meet. */
  const shoreOf = (shape: Shape) => {
    const shore = sheet.shores.get(shape.id)
    return shore && sheet.path(shore, Math.min(lod, 1))
  }
  const shored = (those: Shape[], seen: Seen) => {
    const path = new Path2D()
    for (const shape of those) {
      if (!seen(shape.box)) continue
      path.addPath((shape.coast && shoreOf(shape)) || sheet.path(shape, lod))
    }
    return path
  }
  const fillAll = (sea: boolean, seen: Seen) => {
    const alike = new Map<string, Shape[]>()
    for (const shape of shapes) {
      const how = cover.fills[shape.id]
      if (shape.sea !== sea || !how) continue
      const key = JSON.stringify(how)
      const those = alike.get(key)
      if (those) those.push(shape)
      else alike.set(key, [shape])
    }
    for (const those of alike.values()) {
      const how = cover.fills[those[0]!.id]!
      const coasts = those.filter((shape) => shape.coast)
      if (coasts.length) {
        // The water of a hex with a coast belongs to it, too.
        ink.globalAlpha = 0.3
        ink.fillStyle = how.colour
        ink.fill(joined(coasts, seen), 'evenodd')
        ink.globalAlpha = 1
      }
      fill(shored(those, seen), how)
    }
  }
  const coasts = shapes.filter((shape) => shape.coast)
  each((seen) => {
    fillAll(true, seen)
    fill(joined(coasts, seen), { colour: colours.sea })
  })
  ink.setTransform(1, 0, 0, 1, 0, 0)
  ink.drawImage(drawShore(sheet, colours.shore, part), 0, 0, part.width, part.height)
  each((seen) => {
    const nobody = joined(sheet.land, seen)
    fill(nobody, { colour: colours.void })
    ink.strokeStyle = colours.coast
    ink.globalAlpha = 0.6
    ink.lineWidth = 0.7 * thin
    ink.stroke(nobody)
    ink.globalAlpha = 1
    fillAll(false, seen)
    drawWaters(ink, sheet, shapes, lod, colours, seen)
    ink.fillStyle = colours.coast
    ink.globalAlpha = 0.5
    ink.fill(joined(sheet.islets, seen), 'evenodd')
    ink.globalAlpha = 1
    for (const shape of shapes) if (seen(shape.box)) drawPrint(ink, shape, colours, scale / ratio)
    for (const region of sheet.regions) drawRegion(ink, region, colours, scale / ratio)
  })
  each((seen) => {
    const style = (
      kind: LineKind,
      colour: string,
      width: number,
      dash: number[] = [],
      alpha = 1,
    ) => {
      traceLines(ink, sheet, kind, lod, seen)
      ink.strokeStyle = colour
      ink.lineWidth = width * thin
      ink.globalAlpha = alpha
      ink.setLineDash(dash.map((length) => length * thin))
      ink.stroke()
      ink.setLineDash([])
      ink.globalAlpha = 1
    }
    if (sheet.hexes) {
      // A grid, no borders: thinner than what is drawn on it.
      const strength = Math.min(0.8, 0.25 + (scale / ratio) * 0.5)
      style('sea', colours['sea-line'], 0.8, [], strength)
      style('border', colours.border, 0.8, [], strength)
    } else {
      if (scale / ratio < 0.5) style('sea', colours['sea-line'], 0.8, [], 0.7)
      else style('sea', colours['sea-line'], 1, [5, 3])
      style('border', colours.border, scale / ratio < 0.5 ? 0.8 : 1.1)
    }
    style('coast', colours.coast, scale / ratio < 0.5 ? 0.8 : 1.1)
    style('closed', colours.closed, 2.4, [], 0.85)
    const zoom = scale / ratio
    const draw = (
      lines: ArrayLike<number>[],
      stroke: Stroke | undefined,
      colour = '',
      alpha = 1,
    ) => {
      if (!stroke || !lines.length) return
      const own = cover.dark ? stroke.dark : stroke.light
      const how = { colour: colour || own, halo: colours.halo, alpha, thin, zoom }
      drawStroke(ink, lines, stroke, how)
    }
    for (const kind of ['frontier', 'weather'] as const) {
      const lines = sheet.lines.filter((line) => line.kind === kind && seen(line.box))
      draw(chained(lines.map((line) => sheet.points(line, lod))), WORDS.borders[kind])
    }
    // All borders that look alike are one stroke, which is quicker than many.
    const alike = new Map<string, { kind: string; colour: string; lines: ArrayLike<number>[] }>()
    for (const { pair, kind, colour = '' } of [...sheet.borders, ...cover.borders] as Edge[]) {
      const shape = sheet.shapes.get(pair[0])
      if (!shape || !seen(shape.box)) continue
      const key = `${kind} ${colour}`
      if (!alike.has(key)) alike.set(key, { kind, colour, lines: [] })
      alike.get(key)!.lines.push(...sheet.border(...pair))
    }
    for (const { kind, colour, lines } of alike.values()) draw(lines, WORDS.borders[kind], colour)
    for (const { kind, by } of sheet.connectors) draw([by.flat()], WORDS.links[kind])
    for (const route of cover.routes) {
      const points = rounded(sheet.way(route.path))
      if (points.length < 4) continue
      draw([points], WORDS.routes[route.kind], route.colour, route.state ? 0.5 : 1)
      drawRouteSign(ink, route, points, colours, thin, zoom)
    }
  })
  ink.restore()
  ink.setTransform(1, 0, 0, 1, 0, 0)
  if (!sheet.wrap) return
  // The poles are not on the sheet: it ends in ice, not with a line.
  const deep = sheet.height * POLAR * scale
  for (const [edge, inner] of [
    [upper!, upper! + deep],
    [lower!, lower! - deep],
  ] as const) {
    const ice = ink.createLinearGradient(0, edge, 0, inner)
    ice.addColorStop(0, colours.snow)
    ice.addColorStop(1, `${colours.snow}00`)
    ink.fillStyle = ice
    ink.fillRect(0, Math.min(edge, inner), part.width, deep)
  }
}

/** What lies above and below a sheet. */
export function beyond(sheet: Sheet, colours: Cover['colours']): string {
  return sheet.wrap ? colours.snow : colours.out
}

/** A soft edge of the water: bands along the coast, drawn small, so that they blur when they are
 *  enlarged, and wider where the map is larger. */
function drawShore(sheet: Sheet, colour: string, part: Part): OffscreenCanvas {
  const small: Part = {
    ...part,
    scale: part.scale / BLUR,
    width: Math.ceil(part.width / BLUR),
    height: Math.ceil(part.height / BLUR),
  }
  const canvas = new OffscreenCanvas(small.width, small.height)
  const ink = canvas.getContext('2d')!
  const lod = lodOf(small.scale)
  const wide = (Math.min(16, 5 + (5 * part.scale) / part.ratio) * part.ratio) / part.scale
  ink.strokeStyle = colour
  eachCopy(ink, sheet, small, (seen) => {
    for (const [band, alpha] of BANDS) {
      ink.globalAlpha = alpha
      ink.lineWidth = wide * band
      traceLines(ink, sheet, 'coast', lod, seen, wide)
      for (const piece of sheet.land) {
        if (seen(piece.box, wide))
          for (const ring of sheet.ringsOf(piece, lod)) trace(ink, ring, true)
      }
      ink.stroke()
    }
  })
  return canvas
}

/** Lakes in hexes that are all land, and land in those that are all sea: to be seen, no more. */
function drawWaters(
  ink: Ink,
  sheet: Sheet,
  shapes: Shape[],
  lod: number,
  colours: Cover['colours'],
  seen: Seen,
): void {
  const [lakes, rocks] = [new Path2D(), new Path2D()]
  for (const shape of shapes) {
    const shore = sheet.shores.get(shape.id)
    if (!shore || shape.coast || !seen(shape.box)) continue
    const land = sheet.path(shore, Math.min(lod, 1))
    if (shape.sea) rocks.addPath(land)
    else {
      lakes.addPath(sheet.path(shape, lod))
      lakes.addPath(land)
    }
  }
  ink.globalAlpha = 0.6
  ink.fillStyle = colours.sea
  ink.fill(lakes, 'evenodd')
  ink.fillStyle = colours.void
  ink.fill(rocks, 'evenodd')
  ink.globalAlpha = 1
}

/** The name of a country across its hexes. It fades where the map is large enough to read others. */
function drawRegion(
  ink: Ink,
  { name, at, size }: Sheet['regions'][number],
  colours: Cover['colours'],
  zoom: number,
): void {
  if (size * zoom < 8) return
  ink.font = `600 ${size}px Georgia, Gelasio, 'Noto Serif', 'DejaVu Serif', serif`
  ink.textAlign = 'center'
  ink.textBaseline = 'middle'
  ink.fillStyle = colours.ink
  ink.globalAlpha = size * zoom < 30 ? 0.42 : 0.16
  ink.fillText(name.toUpperCase(), at[0], at[1])
  ink.globalAlpha = 1
}

/** A symbol round a point of the sheet. */
function drawSign(ink: Ink, word: string, x: number, y: number, side: number): void {
  const symbol = WORDS.symbols[word]
  if (!symbol) return
  ink.save()
  ink.translate(x - side / 2, y - side / 2)
  ink.scale(side / 24, side / 24)
  ink.lineWidth = symbol.width ?? 1.8
  ink.lineCap = ink.lineJoin = 'round'
  if (symbol.fill) ink.fill(new Path2D(symbol.fill), 'evenodd')
  if (symbol.line) ink.stroke(new Path2D(symbol.line))
  ink.restore()
}

/** Where the signs of a hex stand, in parts of its height from its middle. */
const CORNERS = [[-0.3, -0.2], [0.3, -0.2], [-0.3, 0.2], [0.3, 0.2]] as const // prettier-ignore

/** What is printed in a space itself: its terrain, and in a hex its signs and its number. */
function drawPrint(ink: Ink, shape: Shape, colours: Cover['colours'], zoom: number): void {
  const high = shape.box[3] - shape.box[1]
  const [x, y] = shape.units
  const terrain = WORDS.terrain[shape.terrain]?.symbol
  if (terrain) {
    ink.fillStyle = ink.strokeStyle = colours.sign
    ink.globalAlpha = 0.3
    drawSign(ink, terrain, x, y, high * 0.36)
    ink.globalAlpha = 1
  }
  if (shape.marks.length && high * zoom >= 26) {
    ink.fillStyle = ink.strokeStyle = shape.sea ? colours['sea-ink'] : colours.ink
    ink.globalAlpha = shape.sea ? 0.5 : 0.75
    if (shape.sea) drawSign(ink, shape.marks[0]!, x, y, Math.min(high * 0.34, 44 / zoom))
    else
      shape.marks.forEach((mark, i) => {
        const [dx, dy] = CORNERS[i % CORNERS.length]!
        drawSign(ink, mark, x + dx * high, y + dy * high, Math.min(high * 0.19, 26 / zoom))
      })
    ink.globalAlpha = 1
  }
  if (!shape.number || high * zoom < 42) return
  ink.font = `${Math.min(high * 0.12, 14 / zoom)}px sans-serif`
  ink.textAlign = 'center'
  ink.textBaseline = 'middle'
  ink.fillStyle = shape.sea ? colours['sea-ink'] : colours.sign
  ink.globalAlpha = 0.75
  ink.fillText(shape.number, x, shape.box[1] + high * 0.17)
  ink.globalAlpha = 1
}

/** What is written on a route, at its middle, and a cross where it is cut. */
function drawRouteSign(
  ink: Ink,
  { label, state }: Line,
  points: number[],
  colours: Cover['colours'],
  thin: number,
  zoom: number,
): void {
  if (zoom < 0.4) return
  const middle = 2 * Math.floor(points.length / 4)
  const [x, y] = [points[middle]!, points[middle + 1]!]
  if (state === 'cut') {
    const arm = 5 * thin
    ink.beginPath()
    ink.moveTo(x - arm, y - arm)
    ink.lineTo(x + arm, y + arm)
    ink.moveTo(x - arm, y + arm)
    ink.lineTo(x + arm, y - arm)
    for (const [style, width] of [[colours.halo, 5], [colours.battle, 2.6]] as const) {
      ink.strokeStyle = style
      ink.lineWidth = width * thin
      ink.stroke()
    } // prettier-ignore
  }
  if (!label) return
  const font = 11 * thin
  ink.font = `600 ${font}px sans-serif`
  ink.textAlign = 'center'
  ink.textBaseline = 'middle'
  ink.lineJoin = 'round'
  ink.strokeStyle = colours.halo
  ink.lineWidth = 3.4 * thin
  ink.fillStyle = colours.ink
  const down = state === 'cut' ? font * 1.1 : 0
  ink.strokeText(label, x, y + down)
  ink.fillText(label, x, y + down)
}

/** A line through points without corners. */
function rounded(points: Point[]): number[] {
  if (points.length < 3) return points.flat()
  const found: number[] = [...points[0]!]
  for (let i = 0; i + 1 < points.length; i++) {
    const [p, q] = [points[i]!, points[i + 1]!]
    const [before, after] = [points[i - 1] ?? p, points[i + 2] ?? q]
    for (let step = 1; step <= 8; step++) {
      const t = step / 8
      for (const axis of [0, 1] as const) {
        const [a, b, c, d] = [before[axis], p[axis], q[axis], after[axis]]
        found.push(
          0.5 *
            (2 * b +
              (c - a) * t +
              (2 * a - 5 * b + 4 * c - d) * t * t +
              (3 * b - a - 3 * c + d) * t ** 3),
        )
      }
    }
  }
  return found
}

/** Draw once for each copy of the globe that can be seen, in units of the sheet. */
function eachCopy(ink: Ink, sheet: Sheet, part: Part, draw: (seen: Seen) => void): void {
  const { scale } = part
  for (const turn of [-1, 0, 1, 2]) {
    const left = part.x - turn * sheet.turn
    const [right, bottom] = [left + part.width / scale, part.y + part.height / scale]
    // Spaces at the seam stand whole on one side, and so beyond the edge of the sheet.
    if (left > sheet.width + BEYOND || right < -BEYOND) continue
    ink.setTransform(scale, 0, 0, scale, -left * scale, -part.y * scale)
    draw(
      ([l, t, r, b], margin = 0) =>
        l - margin < right && r + margin > left && t - margin < bottom && b + margin > part.y,
    )
  }
}

function traceLines(
  ink: Ink,
  sheet: Sheet,
  kind: LineKind,
  lod: number,
  seen: Seen,
  margin = 0,
): void {
  ink.beginPath()
  for (const line of sheet.lines) {
    if (line.kind === kind && seen(line.box, margin)) trace(ink, sheet.points(line, lod))
  }
}

interface Edge {
  pair: [string, string]
  kind: string
  colour?: string
}

/** Lines joined where the end of one is the beginning of another, so that dashes run on. */
function chained(lines: ArrayLike<number>[]): ArrayLike<number>[] {
  const at = (line: ArrayLike<number>, i: number) => `${line[i]} ${line[i + 1]}`
  const ends = new Map<string, number[]>()
  lines.forEach((line, i) => {
    for (const end of [at(line, 0), at(line, line.length - 2)]) {
      const there = ends.get(end)
      if (there) there.push(i)
      else ends.set(end, [i])
    }
  })
  const used = new Set<number>()
  const found: number[][] = []
  const follow = (from: string, first: number) => {
    const chain: number[] = []
    let [place, next] = [from, first]
    for (;;) {
      used.add(next)
      const line = lines[next]!
      const n = line.length
      const back = at(line, 0) !== place
      for (let i = chain.length ? 2 : 0; i < n; i += 2) {
        const k = back ? n - 2 - i : i
        chain.push(line[k]!, line[k + 1]!)
      }
      place = at(line, back ? 0 : n - 2)
      const onward = ends.get(place)!
      const free = onward.find((i) => !used.has(i))
      if (onward.length !== 2 || free === undefined) return chain
      next = free
    }
  }
  for (const [place, there] of ends) {
    if (there.length === 2) continue
    for (const i of there) if (!used.has(i)) found.push(follow(place, i))
  }
  lines.forEach((line, i) => {
    if (!used.has(i)) found.push(follow(at(line, 0), i))
  })
  return found
}

/** Draw lines as the vocabulary has them, with a soft edge. */
function drawStroke(
  ink: Ink,
  lines: ArrayLike<number>[],
  stroke: Stroke,
  how: { colour: string; halo: string; alpha: number; thin: number; zoom: number },
): void {
  const { colour, halo, alpha, thin, zoom } = how
  if (stroke.fine && zoom < 0.5) return
  const size = Math.min(1.3, 0.5 + zoom * 0.5) * thin
  ink.lineCap = 'round'
  ink.beginPath()
  for (const points of lines) trace(ink, points)
  ink.strokeStyle = halo
  ink.globalAlpha = 0.6 * alpha
  ink.lineWidth = (stroke.width + 1.6) * size
  ink.stroke()
  ink.globalAlpha = alpha
  ink.strokeStyle = colour
  ink.lineWidth = stroke.width * size
  ink.setLineDash((stroke.dash ?? []).map((length) => length * size))
  ink.stroke()
  ink.lineCap = 'butt'
  if (stroke.ticks) {
    const [long, thick, gap] = stroke.ticks as [number, number, number]
    ink.lineWidth = long * size
    ink.setLineDash([thick * size, gap * size])
    ink.stroke()
  }
  ink.setLineDash([])
  ink.fillStyle = colour
  for (const points of stroke.ends ? lines : []) {
    for (const at of [0, points.length - 2]) {
      ink.beginPath()
      ink.arc(points[at]!, points[at + 1]!, stroke.width * size, 0, 7)
      ink.fill()
    }
  }
  ink.globalAlpha = 1
}

/** The pattern of land that is held by another than its owner. */
const STRIPE = -1

/** Stripes or dots: 0 for closed land, 1 to `PATTERNS` for powers, 9 and 10 for terrain. */
function hatch(ink: Ink, colour: string, kind: number, ratio: number): CanvasPattern | null {
  const size = Math.round((kind === STRIPE ? 18 : kind === 0 || kind > PATTERNS ? 7 : 10) * ratio)
  const tile = new OffscreenCanvas(size, size)
  const on = tile.getContext('2d')!
  on.strokeStyle = on.fillStyle = colour
  on.lineWidth = (kind === STRIPE ? 5 : kind === 0 ? 1.1 : 2.2) * ratio
  const line = (ax: number, ay: number, bx: number, by: number) => {
    on.beginPath()
    on.moveTo(ax * size, ay * size)
    on.lineTo(bx * size, by * size)
    on.stroke()
  }
  if (kind < 2 || kind === 5) {
    line(-0.5, 0.5, 0.5, -0.5)
    line(-0.5, 1.5, 1.5, -0.5)
    line(0.5, 1.5, 1.5, 0.5)
  }
  if (kind === 2 || kind === 5) {
    line(-0.5, 0.5, 0.5, 1.5)
    line(-0.5, -0.5, 1.5, 1.5)
    line(0.5, -0.5, 1.5, 0.5)
  }
  if (kind === 3 || kind === 7) line(0, 0.5, 1, 0.5)
  if (kind === 6 || kind === 7) line(0.5, 0, 0.5, 1)
  if (kind === 4) {
    on.beginPath()
    on.arc(size / 2, size / 2, size / 5, 0, 7)
    on.fill()
  }
  if (kind === 8) {
    on.beginPath()
    on.arc(size / 2, size / 2, size / 3.4, 0, 7)
    on.stroke()
  }
  // Terrain: few small dots, or many.
  const dots = kind === 9 ? [[0.5, 0.5]] : kind === 10 ? [[0.25, 0.25], [0.75, 0.75]] : [] // prettier-ignore
  for (const [x, y] of dots) {
    on.beginPath()
    on.arc(x! * size, y! * size, (kind === 9 ? 0.8 : 1.1) * ratio, 0, 7)
    on.fill()
  }
  return ink.createPattern(tile, 'repeat')
}
