// The live drawing of the board: the ground as the worker has drawn it last, lights, arrows, names
// and pieces on top. Nothing here is reactive; the component says what has changed.

import { along } from './march'
import { colourOf, emblems } from '../lib/theme'
import type { Arrow, Chip, Light } from '../lib/table.svelte'
import type { About, Picture } from '../lib/types'
import { WORDS, type Paint } from '../lib/vocabulary'
import { chipAt } from './drag'
import { beyond, drawGround, PATTERNS, type Cover, type Fill, type Part } from './ground'
import type { Drawn, Order } from './ground.worker'
import {
  counterWidth,
  isBadge,
  layOut,
  stepOf,
  type Group,
  type Label,
  type Layout,
  type Rect,
} from './layout'
import { readPalette, toneOf, type Palette } from './palette'
import { lodOf, nearest, wrap, type Shape, type Sheet, type TopoFile } from './sheet'
import { Sprites, type Sprite } from './sprites'
import type { Trace } from './traces'

/** Where the sheet is on the screen: `k` pixels per unit, its corner at x, y. */
export interface View {
  k: number
  x: number
  y: number
}
export interface Pointing {
  hovered: string | null
  selected: string | null
  focused: string | null
  /** A stack that is being dragged, and where to, in pixels. */
  drag: { from: string; x: number; y: number } | null
}
interface Bitmap {
  image: ImageBitmap
  x: number
  y: number
  scale: number
  version: number
}

/** An arrow in pixels, with the colours of its line and of its point. */
interface Way {
  points: [number, number][]
  colour: string
  tip: string
}

/** How much of the ground beyond the edges of the board is kept ready, in pixels. */
const [BESIDE, ABOVE] = [220, 140]
/** Width of the picture of the whole world that is shown where nothing better is there yet. */
const WORLD = 2048
/** Width of the one that is drawn at once, before the worker has any. */
const SKELETON = 800
/** Between two drawings of the ground while the map is moved, in milliseconds. */
const PAUSE = 150
/** How much darker everything is that is not lit while a way is being chosen. */
const DARK = 0.32
/** The glow inside a lit space: bands with their widths, half of which can be seen, and strengths. */
const GLOW = [[14, 0.16], [8, 0.24], [3.4, 1]] as const // prettier-ignore

export class Painter {
  palette: Palette
  private readonly ink: CanvasRenderingContext2D
  private readonly worker: Worker
  private sprites: Sprites
  private about: About
  private picture: Picture
  private paints = new Map<string, Paint>()
  private letters: Record<string, string> = {}
  private layouts = new Map<number, Layout>()
  /** Those of the position before: names stay where they were. */
  private earlier = new Map<number, Layout>()
  private lights: Record<string, Light> = {}
  private costs: Record<string, number> = {}
  private arrows: Arrow[] = []
  private traces: Trace[] = []
  private pointing: Pointing = { hovered: null, selected: null, focused: null, drag: null }
  private width = 1
  private ratio = 1
  private view: View = { k: 1, x: 0, y: 0 }
  private version = 0
  private covered: Cover | null = null
  private coverText = ''
  private world: Bitmap | null = null
  private still: Bitmap | null = null
  private job: {
    number: number
    part: Part
    left: number
    world: boolean
    version: number
  } | null = null
  private jobs = 0
  private drawnAt = 0
  private veil: {
    canvas: OffscreenCanvas
    x: number
    y: number
    k: number
    /** Whether what is not lit is darker. */
    dark: boolean
  } | null = null
  private frame = 0
  private movedAt = 0
  private rest = 0

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly sheet: Sheet,
    file: TopoFile,
    about: About,
    picture: Picture,
    /** The picture of the whole world has been drawn anew. */
    private readonly onWorld: (world: ImageBitmap) => void,
  ) {
    this.ink = canvas.getContext('2d', { alpha: false })!
    this.palette = readPalette()
    this.about = about
    this.picture = picture
    this.sprites = this.makeSprites()
    this.worker = new Worker(new URL('./ground.worker.ts', import.meta.url), { type: 'module' })
    this.worker.onmessage = ({ data }: MessageEvent<Drawn>) => this.arrived(data)
    this.send({ type: 'map', file })
    this.show(about, picture)
    this.skeleton()
  }

  destroy(): void {
    this.worker.terminate()
    cancelAnimationFrame(this.frame)
    clearTimeout(this.rest)
    this.world?.image.close()
    this.still?.image.close()
  }

  // --- what has changed ---------------------------------------------------------------------------

  show(about: About, picture: Picture): void {
    this.about = about
    this.picture = picture
    this.paints.clear()
    this.letters = emblems(about)
    for (const [step, layout] of this.layouts) this.earlier.set(step, layout)
    this.layouts = new Map()
    this.cover()
    this.veil = null
    this.soon()
  }

  retheme(): void {
    this.palette = readPalette()
    this.sprites = this.makeSprites()
    this.show(this.about, this.picture)
  }

  resize(width: number, height: number, ratio: number): void {
    if (ratio !== this.ratio) {
      this.ratio = ratio
      this.sprites = this.makeSprites()
    }
    this.width = width
    this.canvas.width = Math.round(width * ratio)
    this.canvas.height = Math.round(height * ratio)
    this.veil = null
    this.draw()
  }

  light(lights: Record<string, Light>, arrows: Arrow[], costs: Record<string, number>): void {
    this.lights = lights
    this.costs = costs
    this.arrows = arrows
    this.veil = null
    this.soon()
  }

  trace(traces: Trace[]): void {
    this.traces = traces
    this.soon()
  }

  point(pointing: Pointing): void {
    this.pointing = pointing
    this.soon()
  }

  look(view: View): void {
    this.view = view
    this.movedAt = performance.now()
    clearTimeout(this.rest)
    this.rest = setTimeout(() => this.soon(), 140)
    this.soon()
  }

  // --- where things are ---------------------------------------------------------------------------

  /** The space whose pieces, or else whose ground, is at a point of the board. */
  at(x: number, y: number): { id: string; pieces: boolean; chip: Chip | null } | null {
    const groups = this.layout().groups
    for (let i = groups.length - 1; i >= 0; i--) {
      const group = groups[i]!
      const [left, top, w, h] = group.box
      const gx = this.screenX(group.x, x)
      const gy = group.y * this.view.k + this.view.y
      if (x >= gx + left && x <= gx + left + w && y >= gy + top && y <= gy + top + h) {
        const stacks = this.picture.spaces[group.id]?.stacks ?? []
        return { id: group.id, pieces: true, chip: chipAt(group, stacks, x - gx, y - gy) }
      }
    }
    const found = this.sheet.at((x - this.view.x) / this.view.k, (y - this.view.y) / this.view.k)
    return found && this.picture.spaces[found.id]
      ? { id: found.id, pieces: false, chip: null }
      : null
  }

  /** The middle of the pieces of a space, or of its counter with a symbol, in pixels of the board,
   *  nearest to its middle. */
  place(id: string, symbol = ''): [number, number] | null {
    const shape = this.sheet.shapes.get(id)
    if (!shape) return null
    const group = this.layout().groups.find((each) => each.id === id)
    const chip = group?.placed.find(({ counter }) => counter.symbol === symbol)
    const [left, top, wide, high] =
      group && chip
        ? [chip.dx, chip.dy, counterWidth(chip.counter, group.side), group.side]
        : (group?.box ?? [0, 0, 0, 0])
    const [dx, dy] = [left + wide / 2, top + high / 2]
    return [
      this.screenX(shape.units[0], this.width / 2) + dx,
      shape.units[1] * this.view.k + this.view.y + dy,
    ]
  }

  /** A point of the sheet on the screen, in the copy that is nearest to `near`. */
  private screenX(x: number, near: number): number {
    const { k } = this.view
    return near + nearest(x * k + this.view.x - near, this.sheet.turn * k)
  }

  private layout(): Layout {
    const step = stepOf(this.view.k)
    let layout = this.layouts.get(step)
    if (!layout) {
      const before = this.earlier.get(step)?.labels
      layout = layOut(this.sheet, this.picture, step, this.sprites.measure, before)
      this.layouts.set(step, layout)
    }
    return layout
  }

  // --- the ground ---------------------------------------------------------------------------------

  private cover(): void {
    const { map, safe, dark } = this.palette
    const fills: Record<string, Fill> = {}
    const order = [...this.about.powers, ...(this.about.others ?? [])].map((power) => power.id)
    for (const shape of this.sheet.shapes.values()) {
      const space = this.picture.spaces[shape.id]
      const tags = space?.tags ?? []
      if (shape.sea) {
        fills[shape.id] = { colour: !space ? map.out : tags.includes('snow') ? map.snow : map.sea }
      } else if (!space) fills[shape.id] = { colour: map.void }
      else if (tags.includes('neutral')) fills[shape.id] = { colour: map.void, hatch: true }
      else {
        const { owner = '', holder = owner } = space
        const terrain = holder ? undefined : WORDS.terrain[shape.terrain]
        fills[shape.id] = {
          colour: (dark ? terrain?.dark : terrain?.light) || this.paintOf(holder).land,
          stripe: owner && owner !== holder ? this.paintOf(owner).land : '',
          pattern: safe && holder ? (order.indexOf(holder) % PATTERNS) + 1 : 0,
          texture: WORDS.terrain[shape.terrain]?.texture ?? 0,
        }
      }
    }
    const ofOwner = (owner = '') => (owner ? this.paintOf(owner).fill : '')
    const { borders = [], routes = [] } = this.picture
    const cover: Cover = {
      fills,
      borders: borders.map(({ pair, kind, owner }) => ({ pair, kind, colour: ofOwner(owner) })),
      routes: routes.map(({ kind, path, owner, state = '', label = '' }) => ({
        kind,
        path,
        colour: ofOwner(owner),
        state,
        label,
      })),
      colours: map,
      dark,
    }
    const text = JSON.stringify(cover)
    if (text === this.coverText) return
    this.covered = cover
    this.coverText = text
    this.version++
    this.send({ type: 'cover', cover })
  }

  /** The land at once, if not sharp: no counter stands on nothing until the worker has drawn. */
  private skeleton(): void {
    const { sheet } = this
    const scale = SKELETON / sheet.width
    const canvas = new OffscreenCanvas(SKELETON, Math.ceil(sheet.height * scale))
    const part = { x: 0, y: sheet.top, scale, width: SKELETON, height: canvas.height, ratio: 1 }
    drawGround(canvas.getContext('2d', { alpha: false })!, sheet, this.covered!, part)
    this.world = { image: canvas.transferToImageBitmap(), x: 0, y: part.y, scale, version: 0 }
  }

  private send(order: Order): void {
    this.worker.postMessage(order)
  }

  /** Have the worker draw what is missing most, unless it is at work. */
  private order(moving: boolean): void {
    if (this.job) return
    const scale = this.view.k * this.ratio
    // What is seen comes before the picture of the whole world, which the skeleton stands in for.
    if (this.world?.version !== this.version && !this.lacks(moving)) {
      const size = WORLD / this.sheet.width
      const height = Math.ceil(this.sheet.height * size)
      this.begin({ x: 0, y: this.sheet.top, scale: size, width: WORLD, height, ratio: 1 }, 0, true)
    } else if (this.lacks(moving) && !(moving && performance.now() - this.drawnAt < PAUSE)) {
      const [beside, above] = [BESIDE * this.ratio, ABOVE * this.ratio]
      const left = (-Math.round(this.view.x * this.ratio) - beside) / scale
      const part: Part = {
        x: wrap(left, this.sheet.turn),
        y: (-Math.round(this.view.y * this.ratio) - above) / scale,
        scale,
        width: this.canvas.width + 2 * beside,
        height: this.canvas.height + 2 * above,
        ratio: this.ratio,
      }
      this.begin(part, left, false)
    }
  }

  private begin(part: Part, left: number, world: boolean): void {
    const number = ++this.jobs
    this.job = { number, part, left, world, version: this.version }
    this.send({ type: 'draw', job: number, part })
  }

  private arrived({ job: number, bitmap }: Drawn): void {
    const job = this.job
    if (job?.number !== number) return bitmap.close()
    this.job = null
    const drawn: Bitmap = {
      image: bitmap,
      x: job.left,
      y: job.part.y,
      scale: job.part.scale,
      version: job.version,
    }
    if (job.world) {
      this.world?.image.close()
      this.world = drawn
      this.onWorld(bitmap)
    } else {
      this.still?.image.close()
      this.still = drawn
      this.drawnAt = performance.now()
    }
    this.soon()
  }

  /** Whether the picture of this part of the ground has to be drawn anew. */
  private lacks(moving: boolean): boolean {
    const still = this.still
    if (!still || still.version !== this.version || !this.covers(still, 0)) return true
    const ratio = still.scale / (this.view.k * this.ratio)
    if (moving) return ratio < 0.75 || ratio > 1.4 || !this.covers(still, 40)
    return Math.abs(ratio - 1) > 0.0005
  }

  /** Whether a bitmap covers the board, and so many pixels more. */
  private covers(still: Bitmap, spare: number): boolean {
    const scale = this.view.k * this.ratio
    const zoom = scale / still.scale
    const x = Math.round(this.view.x * this.ratio) + still.x * scale
    const y = Math.round(this.view.y * this.ratio) + still.y * scale
    return (
      x <= 0.5 - spare &&
      x + still.image.width * zoom >= this.canvas.width - 0.5 + spare &&
      y <= 0.5 &&
      y + still.image.height * zoom >= this.canvas.height - 0.5
    )
  }

  private drawGround(): void {
    const { ink, canvas, still, world, sheet } = this
    const scale = this.view.k * this.ratio
    const [ox, oy] = [Math.round(this.view.x * this.ratio), Math.round(this.view.y * this.ratio)]
    if (!still || !this.covers(still, 0)) {
      ink.fillStyle = beyond(sheet, this.palette.map)
      ink.fillRect(0, 0, canvas.width, canvas.height)
      if (world) {
        const round = sheet.turn * scale
        for (let x = wrap(ox, round) - round; x < canvas.width; x += round) {
          const left = Math.round(x)
          const wide = Math.round(x + sheet.width * scale) - left
          ink.drawImage(world.image, left, oy + sheet.top * scale, wide, sheet.height * scale)
        }
      }
    }
    if (still) {
      const zoom = scale / still.scale
      const [x, y] = [ox + still.x * scale, oy + still.y * scale]
      if (Math.abs(zoom - 1) < 0.0005) ink.drawImage(still.image, Math.round(x), Math.round(y))
      else ink.drawImage(still.image, x, y, still.image.width * zoom, still.image.height * zoom)
    }
  }

  // --- a frame ------------------------------------------------------------------------------------

  private soon(): void {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.draw())
  }

  private draw(): void {
    cancelAnimationFrame(this.frame)
    this.frame = 0
    const moving = performance.now() - this.movedAt < 130
    this.order(moving)
    this.drawGround()
    this.drawLights(moving)
    this.drawOutlines()
    const layout = this.layout()
    const groups = new Map(layout.groups.map((group) => [group.id, group]))
    // What is being chosen now matters more than what has happened.
    const choosing = Object.values(this.lights).includes('origin')
    if (!choosing) this.drawTraces(this.traces, groups)
    for (const arrow of this.arrows) this.drawArrow(arrow, groups)
    this.drawLeaders(layout)
    for (const label of layout.labels) {
      this.stamp(this.sprites.label(label), label.x, label.y, label.dx - label.width / 2, label.dy - label.height / 2) // prettier-ignore
    }
    for (const group of layout.groups) this.drawGroup(group)
    this.drawMarks(layout.groups)
    this.drawBadges(groups, choosing ? [] : this.traces)
    this.drawCosts(groups, layout.labels)
    this.drawCourseLabels(groups)
    this.drawDrag()
  }

  /** Draw a sprite at an offset in pixels from a point of the sheet, wherever that can be seen. */
  private stamp(sprite: Sprite, x: number, y: number, dx: number, dy: number): void {
    const { ratio, canvas } = this
    const scale = this.view.k * ratio
    const top = Math.round(Math.round(this.view.y * ratio) + y * scale + dy * ratio - sprite.pad)
    const { width, height } = sprite.image
    if (top > canvas.height || top + height < 0) return
    const round = this.sheet.turn * scale
    const from = Math.round(this.view.x * ratio) + x * scale + dx * ratio - sprite.pad
    for (let left = wrap(from + width, round) - width; left < canvas.width; left += round) {
      this.ink.drawImage(sprite.image, Math.round(left), top)
    }
  }

  private drawGroup(group: Group): void {
    for (const { dx, dy, counter } of group.placed) {
      this.stamp(this.sprites.counter(counter, group.side, group.sum), group.x, group.y, dx, dy)
    }
  }

  private drawLeaders(layout: Layout): void {
    const { ink } = this
    ink.strokeStyle = this.palette.map.ink
    ink.lineWidth = 0.7 * this.ratio
    ink.globalAlpha = 0.55
    ink.beginPath()
    for (const label of layout.labels) {
      if (!label.leader) continue
      const x = this.screenX(label.x, this.width / 2) + label.dx
      const y = label.y * this.view.k + this.view.y + label.dy
      const tx = x + (label.leader[0] - label.x) * this.view.k - label.dx
      const ty = label.leader[1] * this.view.k + this.view.y
      // From the edge of the name to the middle of its space.
      const ex = Math.min(Math.max(tx, x - label.width / 2 - 2), x + label.width / 2 + 2)
      const ey = Math.min(Math.max(ty, y - label.height / 2), y + label.height / 2)
      if (Math.hypot(tx - ex, ty - ey) < 6) continue
      ink.moveTo(ex * this.ratio, ey * this.ratio)
      ink.lineTo(tx * this.ratio, ty * this.ratio)
    }
    ink.stroke()
    ink.globalAlpha = 1
  }

  /** Signs that stand at the upper right of the pieces: battles, what was taken, and what lights
   *  mean. */
  private drawBadges(groups: Map<string, Group>, traces: Trace[]): void {
    const { map } = this.palette
    const side = this.view.k < 0.5 ? 13 : 17
    const badges = new Map<string, [symbol: string, colour: string, ink: string]>()
    for (const { path, deed } of traces) {
      if (deed === 'battle') badges.set(path[path.length - 1]!, ['damage', map.halo, map.battle])
    }
    for (const { path, deed, power } of traces) {
      const { fill, ink } = this.paintOf(power)
      if (deed === 'taken') badges.set(path[0]!, ['flag', fill, ink])
    }
    for (const [id, space] of Object.entries(this.picture.spaces)) {
      if (space.tags?.includes('battle')) badges.set(id, ['damage', map.battle, map.halo])
    }
    for (const [id, light] of Object.entries(this.lights)) {
      if (light === 'battle') badges.set(id, ['damage', map.battle, map.halo])
      else if (light === 'landing') badges.set(id, ['fighter', map.landing, map.halo])
    }
    for (const [id, [symbol, colour, ink]] of badges) {
      const shape = this.sheet.shapes.get(id)
      if (!shape) continue
      const box = groups.get(id)?.box ?? [-side / 2, side / 2, side / 2, 0]
      this.stamp(
        this.sprites.badge(symbol, colour, ink, side),
        shape.units[0],
        shape.units[1],
        box[0] + box[2] - side * 0.4,
        box[1] - side * 0.7,
      )
    }
  }

  /** Marks that stand at the upper left of the pieces. */
  private drawMarks(groups: Group[]): void {
    const side = this.view.k < 0.5 ? 11 : 14
    for (const { id, x, y, box } of groups) {
      const marks = this.picture.spaces[id]?.marks?.filter(isBadge) ?? []
      for (const [at, { symbol, tone }] of marks.entries()) {
        const colour = toneOf(this.palette, tone)
        const sprite = this.sprites.badge(symbol, colour, this.palette.map.halo, side)
        this.stamp(sprite, x, y, box[0] + (at - 0.6) * side, box[1] - side * 0.6)
      }
    }
  }

  /** What it costs to go to a space, at the lower right of its pieces, or else below its name. */
  private drawCosts(groups: Map<string, Group>, labels: Label[]): void {
    const { map } = this.palette
    const side = this.view.k < 0.5 ? 13 : 17
    const names = new Map(
      labels.filter((one) => one.lines.length && !one.leader).map((one) => [one.id, one]),
    )
    for (const [id, cost] of Object.entries(this.costs)) {
      const shape = this.sheet.shapes.get(id)
      if (!shape) continue
      // Below the sign of a battle in a space without pieces.
      const low = this.lights[id] === 'battle' ? side * 0.7 : 0
      const name = groups.has(id) ? undefined : names.get(id)
      if (name) {
        const below = name.dy + name.height / 2
        const sprite = this.sprites.number(cost, map.halo, map.ink, side)
        this.stamp(sprite, name.x, name.y, name.dx - side / 2, below)
        continue
      }
      const box = groups.get(id)?.box ?? [-side / 2, low - side / 2, side / 2, side / 2]
      this.stamp(
        this.sprites.number(cost, map.halo, map.ink, side),
        shape.units[0],
        shape.units[1],
        box[0] + box[2] - side * 0.4,
        box[1] + box[3] - side * 0.5,
      )
    }
  }

  // --- lights, outlines and arrows ----------------------------------------------------------------

  /** Lit spaces, with everything else a little darker while a way is being chosen. They
   *  are drawn once and moved with the map. */
  private drawLights(moving: boolean): void {
    const lit = Object.entries(this.lights)
    if (lit.length === 0) return
    const { ratio, canvas } = this
    const [ox, oy] = [this.view.x * ratio, this.view.y * ratio]
    const margin = 200 * ratio
    let veil = this.veil
    const gone =
      veil &&
      (Math.abs(ox - veil.x) > margin || Math.abs(oy - veil.y) > margin || veil.k !== this.view.k)
    if (!veil || (gone && !moving)) {
      const image = new OffscreenCanvas(canvas.width + 2 * margin, canvas.height + 2 * margin)
      const dark = lit.some(([, light]) => light === 'reach' || light === 'battle')
      this.veil = veil = { canvas: image, x: ox, y: oy, k: this.view.k, dark }
      this.drawVeil(image.getContext('2d')!, lit, margin, dark)
    }
    const zoom = this.view.k / veil.k
    const x = Math.round(ox) - (Math.round(veil.x) + margin) * zoom
    const y = Math.round(oy) - (Math.round(veil.y) + margin) * zoom
    const [wide, high] = [veil.canvas.width * zoom, veil.canvas.height * zoom]
    this.ink.drawImage(veil.canvas, x, y, wide, high)
    if (veil.dark && gone) {
      // The map flies: what lies beyond is as dark as the rest.
      this.ink.beginPath()
      this.ink.rect(0, 0, canvas.width, canvas.height)
      this.ink.rect(x, y, wide, high)
      this.ink.globalAlpha = DARK
      this.ink.fillStyle = this.palette.map.edge
      this.ink.fill('evenodd')
      this.ink.globalAlpha = 1
    }
  }

  private drawVeil(
    ink: OffscreenCanvasRenderingContext2D,
    lit: [string, Light][],
    margin: number,
    dark: boolean,
  ): void {
    const { map } = this.palette
    const scale = this.view.k * this.ratio
    const lod = lodOf(scale)
    const thin = this.ratio / scale
    const shapes = lit
      .map(([id, light]) => ({ light, shape: this.sheet.shapes.get(id) }))
      .filter((each): each is { light: Light; shape: Shape } => !!each.shape)
    const each = (draw: (path: Path2D, light: Light) => void) => {
      const round = this.sheet.turn * scale
      const origin = Math.round(this.view.x * this.ratio) + margin
      const oy = Math.round(this.view.y * this.ratio) + margin
      for (const { shape, light } of shapes) {
        const [left, , right] = shape.box
        const first = wrap(origin + right * scale, round) - right * scale - round
        for (let ox = first; ox + left * scale < ink.canvas.width; ox += round) {
          if (ox + right * scale < 0) continue
          ink.setTransform(scale, 0, 0, scale, ox, oy)
          draw(this.sheet.path(shape, lod), light)
        }
      }
      ink.setTransform(1, 0, 0, 1, 0, 0)
    }
    if (dark) {
      ink.fillStyle = map.edge
      ink.globalAlpha = DARK
      ink.fillRect(0, 0, ink.canvas.width, ink.canvas.height)
      ink.globalAlpha = 1
      ink.globalCompositeOperation = 'destination-out'
      each((path) => ink.fill(path, 'evenodd'))
      ink.globalCompositeOperation = 'source-over'
    }
    ink.lineJoin = 'round'
    each((path, light) => {
      // Inside the space, so that neighbours keep their own; its colour still says whose it is.
      ink.save()
      ink.clip(path, 'evenodd')
      ink.strokeStyle = map[light]
      for (const [width, alpha] of GLOW) {
        ink.lineWidth = width * (light === 'origin' ? 1.6 : 1) * thin
        ink.globalAlpha = alpha
        ink.setLineDash(light === 'landing' ? [7 * thin, 5 * thin] : [])
        ink.stroke(path)
      }
      ink.restore()
    })
  }

  private drawOutlines(): void {
    const { hovered, selected, focused, drag } = this.pointing
    const { map, focus } = this.palette
    if (hovered && hovered !== selected) this.outline(hovered, map.ink, 1.4, 0.75)
    if (drag && drag.from !== hovered) this.outline(drag.from, map.origin, 3, 1)
    if (selected) this.outline(selected, map.origin, 2.4, 1)
    if (focused) {
      this.outline(focused, map.halo, 5.5, 0.9)
      this.outline(focused, focus, 3, 1)
    }
  }

  private outline(id: string, colour: string, width: number, alpha: number): void {
    const shape = this.sheet.shapes.get(id)
    if (!shape) return
    const { ink, ratio, canvas } = this
    const scale = this.view.k * ratio
    const path = this.sheet.path(shape, lodOf(scale))
    const round = this.sheet.turn * scale
    const [left, , right] = shape.box
    const origin = Math.round(this.view.x * ratio)
    const first = wrap(origin + right * scale, round) - right * scale - round
    for (let ox = first; ox + left * scale < canvas.width; ox += round) {
      if (ox + right * scale < 0) continue
      ink.setTransform(scale, 0, 0, scale, ox, Math.round(this.view.y * ratio))
      ink.strokeStyle = colour
      ink.globalAlpha = alpha
      ink.lineJoin = 'round'
      ink.lineWidth = (width * ratio) / scale
      ink.stroke(path)
    }
    ink.globalAlpha = 1
    ink.setTransform(1, 0, 0, 1, 0, 0)
  }

  private drawArrow(arrow: Arrow, groups: Map<string, Group>): void {
    const points = this.wayOf(arrow.path, groups)
    if (points.length < 2) return
    if (arrow.kind === 'course') return this.drawCourse(points, arrow)
    const { map } = this.palette
    const colour = { attack: map.battle, move: map.origin, preview: map.reach }[arrow.kind]
    this.drawPaths([{ points, colour, tip: colour }], 1, arrow.kind === 'preview')
  }

  /** A line that is kept up. */
  private drawCourse(points: [number, number][], { chosen }: Arrow): void {
    const { ink, ratio } = this
    const { map } = this.palette
    ink.save()
    ink.scale(ratio, ratio)
    ink.lineJoin = ink.lineCap = 'round'
    ink.beginPath()
    for (const [x, y] of points) ink.lineTo(x, y)
    const width = chosen ? 4 : 2.2
    for (const [style, wide] of [[map.halo, width + 2.4], [chosen ? map.origin : map.ink, width]] as const) {
      ink.strokeStyle = style
      ink.lineWidth = wide
      ink.globalAlpha = chosen ? 1 : 0.7
      ink.stroke()
    } // prettier-ignore
    ink.restore()
  }

  /** What is written on the lines that are kept up, above everything else. */
  private drawCourseLabels(groups: Map<string, Group>): void {
    const { ink, ratio } = this
    const { map } = this.palette
    ink.save()
    ink.scale(ratio, ratio)
    ink.textAlign = 'center'
    ink.textBaseline = 'middle'
    for (const { path, label, chosen } of this.arrows) {
      const at = label ? along(this.wayOf(path, groups), 0.5) : null
      if (!label || !at) continue
      const [x, y] = at
      ink.font = `700 ${chosen ? 14 : 12}px sans-serif`
      const wide = ink.measureText(label).width + 10
      ink.fillStyle = chosen ? map.origin : map.halo
      ink.beginPath()
      ink.roundRect(x - wide / 2, y - 9, wide, 18, 9)
      ink.fill()
      ink.fillStyle = chosen ? map.halo : map.ink
      ink.fillText(label, x, y + 0.5)
    }
    ink.restore()
  }

  /** Where units of others went: thin and bent, in the colours of their powers; a long way from
   *  space to space, since one bow would not tell where it led. */
  private drawTraces(traces: Trace[], groups: Map<string, Group>): void {
    const ways: Way[] = []
    for (const { path, deed, power } of traces) {
      const way = this.wayOf(path, groups)
      if (way.length < 2 || !this.inSight(way)) continue
      const points = way.length > FAR ? way : bent(way)
      if (!points) continue
      const colour = this.paintOf(power).fill
      ways.push({ points, colour, tip: deed === 'battle' ? this.palette.map.battle : colour })
    }
    if (ways.length) this.drawPaths(ways, 0.5)
  }

  private inSight(points: [number, number][]): boolean {
    const [wide, high] = [this.width, this.canvas.height / this.ratio]
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
    const bow = 40
    return (
      Math.max(...xs) > -bow &&
      Math.min(...xs) < wide + bow &&
      Math.max(...ys) > -bow &&
      Math.min(...ys) < high + bow
    )
  }

  /** The places of some spaces in pixels, the short way round; the last one at the edge of the
   *  pieces there. */
  private wayOf(path: string[], groups: Map<string, Group>): [number, number][] {
    const points: [number, number][] = []
    let last: Group | undefined
    for (const id of path) {
      const shape = this.sheet.shapes.get(id)
      if (!shape) continue
      const near = points.length ? points[points.length - 1]![0] : this.width / 2
      const x = this.screenX(shape.units[0], near)
      points.push([x, shape.units[1] * this.view.k + this.view.y])
      last = groups.get(id)
    }
    if (points.length > 1 && last) {
      points.push(edge(points.pop()!, points[points.length - 1]!, last.box))
    }
    return points
  }

  /** Arrows in pixels; `size` 1 is one that the player makes. All of a colour are one stroke, which
   *  is quicker than many. */
  private drawPaths(ways: Way[], size: number, dashed = false): void {
    const { ink, ratio } = this
    const width = (this.view.k < 0.5 ? 3 : 4.5) * size
    const line = (points: [number, number][]) => {
      const { tx, ty, ux, uy, head } = headOf(points, width)
      ink.moveTo(...points[0]!)
      for (let i = 1; i < points.length - 1; i++) {
        const [x, y] = points[i]!
        const [nx, ny] = points[i + 1]!
        ink.quadraticCurveTo(x, y, (x + nx) / 2, (y + ny) / 2)
      }
      ink.lineTo(tx - ux * head * 0.8, ty - uy * head * 0.8)
    }
    const point = (points: [number, number][], grow: number) => {
      const { tx, ty, ux, uy, head } = headOf(points, width)
      const [cx, cy] = [tx - ux * (head + grow), ty - uy * (head + grow)]
      const half = head * 0.55 + grow
      ink.moveTo(tx + ux * grow, ty + uy * grow)
      ink.lineTo(cx - uy * half, cy + ux * half)
      ink.lineTo(cx + uy * half, cy - ux * half)
      ink.closePath()
    }
    const spot = (x: number, y: number) => {
      ink.moveTo(x, y)
      ink.arc(x, y, width + 0.6, 0, 7)
    }
    const each = (those: Way[], draw: (way: Way) => void) => {
      ink.beginPath()
      those.forEach(draw)
    }
    ink.save()
    ink.scale(ratio, ratio)
    ink.lineJoin = ink.lineCap = 'round'
    ink.strokeStyle = ink.fillStyle = this.palette.map.halo
    ink.lineWidth = width + 1 + 2 * size
    each(ways, ({ points }) => line(points))
    ink.stroke()
    each(ways, ({ points }) => point(points, 1 + size))
    ink.fill()
    ink.lineWidth = width
    ink.setLineDash(dashed ? [width * 1.8, width * 1.8] : [])
    for (const colour of new Set(ways.flatMap((way) => [way.colour, way.tip]))) {
      ink.strokeStyle = ink.fillStyle = colour
      const mine = ways.filter((way) => way.colour === colour)
      each(mine, ({ points }) => line(points))
      ink.stroke()
      each(ways.filter((way) => way.tip === colour), ({ points }) => point(points, 0)) // prettier-ignore
      // Where it began: the units are gone from there.
      if (size < 1) for (const { points } of mine) spot(...points[0]!)
      ink.fill()
    }
    ink.restore()
  }

  private drawDrag(): void {
    const { drag } = this.pointing
    const from = drag && this.place(drag.from)
    const colour = this.palette.map.origin
    if (drag && from) {
      const to: [number, number] = [drag.x, drag.y]
      this.drawPaths([{ points: [from, to], colour, tip: colour }], 1, true)
    }
  }

  // --- colours ------------------------------------------------------------------------------------

  private paintOf(power: string): Paint {
    let paint = this.paints.get(power)
    if (!paint) this.paints.set(power, (paint = this.palette.powers[colourOf(this.about, power)]!))
    return paint
  }

  private makeSprites(): Sprites {
    return new Sprites(
      this.palette,
      this.ratio,
      (power) => this.paintOf(power),
      (power) => this.letters[power] ?? '',
    )
  }
}

/** So many spaces of a way are told by one bow. */
const FAR = 7

/** One bow instead of a way from space to space: past the middle of where it leads, but not far. Null
 *  if it ends where it began. */
function bent(way: [number, number][]): [number, number][] | null {
  const [x, y] = way[0]!
  const [tx, ty] = way[way.length - 1]!
  const long = Math.hypot(tx - x, ty - y)
  if (long < 9) return null
  const between = way.slice(1, -1)
  const mean = (axis: 0 | 1) => between.reduce((sum, at) => sum + at[axis], 0) / between.length
  const [mx, my] = [(x + tx) / 2, (y + ty) / 2]
  let [dx, dy] = between.length ? [mean(0) - mx, mean(1) - my] : [(ty - y) * 0.16, (x - tx) * 0.16]
  const off = Math.hypot(dx, dy)
  const most = Math.max(long * 0.16, Math.min(off * 1.3, long * 0.5))
  if (off > 0) [dx, dy] = [(dx / off) * most, (dy / off) * most]
  return [[x, y], [mx + dx, my + dy], [tx, ty]] // prettier-ignore
}

/** The end of an arrow: where it is, its direction, and how long its point is. */
function headOf(points: [number, number][], width: number) {
  const [tx, ty] = points[points.length - 1]!
  const [bx, by] = points[points.length - 2]!
  const away = Math.hypot(tx - bx, ty - by) || 1
  const head = Math.min(away * 0.5, width * 2.6 + 3.6)
  return { tx, ty, ux: (tx - bx) / away, uy: (ty - by) / away, head }
}

/** Where a line from `from` meets the box of the pieces that stand round `to`. */
function edge(to: [number, number], from: [number, number], box: Rect): [number, number] {
  const [left, top] = [to[0] + box[0] - 4, to[1] + box[1] - 4]
  const [right, bottom] = [left + box[2] + 8, top + box[3] + 8]
  const [dx, dy] = [from[0] - to[0], from[1] - to[1]]
  const across = dx > 0 ? (right - to[0]) / dx : dx < 0 ? (left - to[0]) / dx : Infinity
  const along = dy > 0 ? (bottom - to[1]) / dy : dy < 0 ? (top - to[1]) / dy : Infinity
  const part = Math.min(0.7, Math.max(0, Math.min(across, along)))
  return [to[0] + dx * part, to[1] + dy * part]
}
