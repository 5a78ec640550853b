// The ground of the map: water, land, coasts, borders and connectors, drawn into a bitmap. It runs
// in a worker (ground.worker.ts), so that the map can be moved while it is drawn.

import { WORDS, type Stroke } from '../lib/vocabulary'
import type { Palette } from './palette'
import { lodOf, trace, type Box, type LineKind, type Shape, type Sheet } from './sheet'

export type Ink = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D

/** How a space is filled. `pattern` 1 to 5 tells powers apart without colour; `hatch` is for land
 *  that nobody may enter. */
export interface Fill {
  colour: string
  pattern?: number
  hatch?: boolean
}
export interface Cover {
  fills: Record<string, Fill>
  colours: Palette['map']
  dark: boolean
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
/** How far spaces reach beyond the sheet, in its units. */
const BEYOND = 700

/** Draw a part of the ground. */
export function drawGround(ink: Ink, sheet: Sheet, cover: Cover, part: Part): void {
  const { colours } = cover
  const { scale, ratio } = part
  const lod = lodOf(scale)
  const thin = ratio / scale
  ink.setTransform(1, 0, 0, 1, 0, 0)
  ink.fillStyle = colours.out
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
    const kind = how.hatch ? 0 : how.pattern || -1
    const stripes = kind < 0 ? null : pattern(kind === 0 ? colours.hatch : colours.ink, kind)
    if (!stripes) return
    // Stripes are in pixels of the screen and hang on the sheet.
    stripes.setTransform(new DOMMatrix().scale(1 / scale))
    ink.globalAlpha = kind === 0 ? 0.7 : 0.11
    ink.fillStyle = stripes
    ink.fill(path, 'evenodd')
    ink.globalAlpha = 1
  }
  const shapes = [...sheet.shapes.values()]
  /** Shapes as one path: without gaps where they touch. */
  const joined = (those: Shape[], seen: Seen) => {
    const path = new Path2D()
    for (const shape of those) if (seen(shape.box)) path.addPath(sheet.path(shape, lod))
    return path
  }
  const fillAll = (sea: boolean, seen: Seen) => {
    const alike = new Map<string, Shape[]>()
    for (const shape of shapes) {
      const how = cover.fills[shape.id]
      if (shape.sea !== sea || !how) continue
      const key = JSON.stringify(how)
      alike.set(key, [...(alike.get(key) ?? []), shape])
    }
    for (const those of alike.values()) fill(joined(those, seen), cover.fills[those[0]!.id]!)
  }
  each((seen) => fillAll(true, seen))
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
    ink.fillStyle = colours.coast
    ink.globalAlpha = 0.5
    ink.fill(joined(sheet.islets, seen), 'evenodd')
    ink.globalAlpha = 1
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
    if (scale / ratio < 0.5) style('sea', colours['sea-line'], 0.8, [], 0.7)
    else style('sea', colours['sea-line'], 1, [5, 3])
    style('border', colours.border, scale / ratio < 0.5 ? 0.8 : 1.1)
    style('coast', colours.coast, scale / ratio < 0.5 ? 0.8 : 1.1)
    style('closed', colours.closed, 2.4, [], 0.85)
    for (const { kind, by } of sheet.connectors) {
      const stroke = WORDS.links[kind]!
      drawStroke(ink, by.flat(), stroke, {
        colour: cover.dark ? stroke.dark : stroke.light,
        halo: colours.halo,
        thin,
        zoom: scale / ratio,
      })
    }
  })
  ink.restore()
  ink.setTransform(1, 0, 0, 1, 0, 0)
  ink.fillStyle = colours['sea-line']
  for (const y of [upper!, lower!]) ink.fillRect(0, y - ratio / 2, part.width, ratio)
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

/** Draw once for each copy of the globe that can be seen, in units of the sheet. */
function eachCopy(ink: Ink, sheet: Sheet, part: Part, draw: (seen: Seen) => void): void {
  const { scale } = part
  for (const turn of [-1, 0, 1, 2]) {
    const left = part.x - turn * sheet.width
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

/** Draw a line as the vocabulary has it, with a soft edge. */
function drawStroke(
  ink: Ink,
  points: ArrayLike<number>,
  stroke: Stroke,
  { colour, halo, thin, zoom }: { colour: string; halo: string; thin: number; zoom: number },
): void {
  if (stroke.fine && zoom < 0.5) return
  const size = Math.min(1.3, 0.5 + zoom * 0.5) * thin
  ink.lineCap = 'round'
  ink.beginPath()
  trace(ink, points)
  ink.strokeStyle = halo
  ink.globalAlpha = 0.6
  ink.lineWidth = (stroke.width + 1.6) * size
  ink.stroke()
  ink.globalAlpha = 1
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
  if (!stroke.ends) return
  ink.fillStyle = colour
  for (const at of [0, points.length - 2]) {
    ink.beginPath()
    ink.arc(points[at]!, points[at + 1]!, stroke.width * size, 0, 7)
    ink.fill()
  }
}

/** Stripes or dots: 0 for closed land, 1 to 5 for powers. */
function hatch(ink: Ink, colour: string, kind: number, ratio: number): CanvasPattern | null {
  const size = Math.round((kind === 0 ? 7 : 10) * ratio)
  const tile = new OffscreenCanvas(size, size)
  const on = tile.getContext('2d')!
  on.strokeStyle = on.fillStyle = colour
  on.lineWidth = (kind === 0 ? 1.1 : 2.2) * ratio
  const line = (ax: number, ay: number, bx: number, by: number) => {
    on.beginPath()
    on.moveTo(ax * size, ay * size)
    on.lineTo(bx * size, by * size)
    on.stroke()
  }
  if (kind === 0 || kind === 1 || kind === 5) {
    line(-0.5, 0.5, 0.5, -0.5)
    line(-0.5, 1.5, 1.5, -0.5)
    line(0.5, 1.5, 1.5, 0.5)
  }
  if (kind === 2 || kind === 5) {
    line(-0.5, 0.5, 0.5, 1.5)
    line(-0.5, -0.5, 1.5, 1.5)
    line(0.5, -0.5, 1.5, 0.5)
  }
  if (kind === 3) line(0, 0.5, 1, 0.5)
  if (kind === 4) {
    on.beginPath()
    on.arc(size / 2, size / 2, size / 5, 0, 7)
    on.fill()
  }
  return ink.createPattern(tile, 'repeat')
}
