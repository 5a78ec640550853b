// Counters, names and badges as small bitmaps, drawn once for each look and size.

import type { Mark } from '../lib/types'
import type { Paint } from '../lib/vocabulary'
import {
  countLabel,
  counterWidth,
  LINE,
  MARK_GAP,
  markSide,
  markWidth,
  overhang,
  type Counter,
  type Label,
  type Measure,
} from './layout'
import { toneOf, type Palette } from './palette'
import { symbolOf } from './symbols'

export interface Sprite {
  image: OffscreenCanvas
  /** How far it reaches beyond its place, to the left and the top, in device pixels. */
  pad: number
}
type Ink = OffscreenCanvasRenderingContext2D

const SANS = "'Source Sans 3', Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
const SERIF = "Georgia, Gelasio, 'Noto Serif', 'DejaVu Serif', serif"
const MOST = 4000

function fontOf(size: number, sea: boolean, weight = 500): string {
  return sea ? `italic ${size}px ${SERIF}` : `${weight} ${size}px ${SANS}`
}

const paths = new Map<string, Path2D>()
function pathOf(data: string): Path2D {
  let path = paths.get(data)
  if (!path) paths.set(data, (path = new Path2D(data)))
  return path
}

/** Draw a symbol into a square. */
function drawSymbol(
  ink: Ink | CanvasRenderingContext2D,
  name: string,
  x: number,
  y: number,
  side: number,
  colour: string,
): void {
  const shape = symbolOf(name)
  ink.save()
  ink.translate(x, y)
  ink.scale(side / 24, side / 24)
  if (shape.fill) {
    ink.fillStyle = colour
    ink.fill(pathOf(shape.fill), 'evenodd')
  }
  if (shape.line) {
    ink.strokeStyle = colour
    ink.lineWidth = shape.width ?? 1.8
    ink.lineCap = ink.lineJoin = 'round'
    ink.stroke(pathOf(shape.line))
  }
  ink.restore()
}

export class Sprites {
  private readonly kept = new Map<string, Sprite>()
  private readonly widths = new Map<string, number>()
  private readonly ruler = new OffscreenCanvas(1, 1).getContext('2d')!

  constructor(
    readonly palette: Palette,
    /** Device pixels per pixel. */
    readonly ratio: number,
    private readonly paintOf: (power: string) => Paint,
    private readonly emblemOf: (power: string) => string,
  ) {}

  readonly measure: Measure = (text, font, sea) => {
    const key = `${sea ? 'i' : 'r'}${text}`
    let width = this.widths.get(key)
    if (width === undefined) {
      this.ruler.font = fontOf(100, sea)
      this.widths.set(key, (width = this.ruler.measureText(text).width / 100))
    }
    return width * font
  }

  counter(counter: Counter, side: number, sum: boolean): Sprite {
    const { symbol, second, power, count, size, printed, stacked, states, cargo } = counter
    const key = `c ${symbol} ${second} ${power} ${count} ${size} ${printed} ${stacked} ${states} ${cargo.map((c) => c.symbol + c.power)} ${side} ${sum}`
    const wide = counterWidth(counter, side) + overhang(counter, side)
    const high = cargo.length ? Math.round(side * 1.4) : side
    return this.get(key, wide, high, 4, (ink) => this.drawCounter(ink, counter, side))
  }

  label(label: Label): Sprite {
    const marks = label.marks.map((mark) => mark.symbol + mark.text + mark.tone).join()
    const key = `l ${label.lines.join('/')} ${label.font} ${marks} ${label.sea} ${Math.round(label.width)}`
    return this.get(key, label.width, label.height, 3, (ink) => this.drawLabel(ink, label))
  }

  /** A round badge with a symbol, beside the pieces: a battle, a landing. */
  badge(symbol: string, colour: string, on: string, side: number): Sprite {
    return this.get(`b ${symbol} ${colour} ${side}`, side, side, 2, (ink) => {
      ink.beginPath()
      ink.arc(side / 2, side / 2, side / 2, 0, 7)
      ink.fillStyle = colour
      ink.fill()
      ink.strokeStyle = on
      ink.lineWidth = 1.2
      ink.stroke()
      drawSymbol(ink, symbol, side * 0.18, side * 0.18, side * 0.64, on)
    })
  }

  /** A number in a disc. */
  number(value: number, colour: string, on: string, side: number): Sprite {
    return this.get(`n ${value} ${colour} ${side}`, side, side, 2, (ink) => {
      ink.beginPath()
      ink.arc(side / 2, side / 2, side / 2, 0, 7)
      ink.fillStyle = colour
      ink.fill()
      ink.strokeStyle = on
      ink.lineWidth = 1
      ink.stroke()
      this.text(ink, String(value), side / 2, side / 2 + 0.5, side * 0.7, on, 600)
    })
  }

  private get(
    key: string,
    wide: number,
    high: number,
    pad: number,
    draw: (ink: Ink) => void,
  ): Sprite {
    let sprite = this.kept.get(key)
    if (!sprite) {
      if (this.kept.size > MOST) this.kept.clear()
      const size = (length: number) => Math.max(1, Math.ceil((length + 2 * pad) * this.ratio))
      const image = new OffscreenCanvas(size(wide), size(high))
      const ink = image.getContext('2d')!
      ink.scale(this.ratio, this.ratio)
      ink.translate(pad, pad)
      draw(ink)
      sprite = { image, pad: pad * this.ratio }
      this.kept.set(key, sprite)
    }
    return sprite
  }

  private drawCounter(ink: Ink, counter: Counter, side: number): void {
    const { map } = this.palette
    const paint = this.paintOf(counter.power)
    const wide = counterWidth(counter, side)
    const { printed } = counter
    const radius = side * (printed ? 0.1 : 0.2)
    const moved = counter.states.includes('moved') || counter.states.includes('idle')
    const many = counter.count > 1 && !printed
    const card = (y: number, height: number) => {
      ink.beginPath()
      ink.roundRect(0, y, wide, height, radius)
    }
    if (counter.cargo.length) this.drawCargo(ink, counter, side)
    for (const off of counter.stacked ? [3, 1.5] : []) {
      ink.beginPath()
      ink.roundRect(off, off, wide, side, radius)
      ink.fillStyle = paint.fill
      ink.fill()
      ink.strokeStyle = map.edge
      ink.lineWidth = 0.8
      ink.stroke()
    }
    card(1, side)
    ink.fillStyle = 'rgb(0 0 0 / 0.28)'
    ink.fill()
    card(0, side)
    ink.fillStyle = paint.fill
    ink.fill()
    const gloss = ink.createLinearGradient(0, 0, 0, side)
    gloss.addColorStop(0, 'rgb(255 255 255 / 0.16)')
    gloss.addColorStop(0.5, 'rgb(255 255 255 / 0)')
    ink.fillStyle = gloss
    ink.fill()
    if (moved) {
      // Paler in every theme; its symbol stays as clear as before.
      ink.fillStyle = map.halo
      ink.globalAlpha = this.palette.dark ? 0.3 : 0.42
      ink.fill()
      ink.globalAlpha = 1
    }
    ink.beginPath()
    ink.roundRect(0.4, 0.4, wide - 0.8, side - 0.8, radius)
    ink.strokeStyle = map.edge
    ink.lineWidth = 0.8
    ink.stroke()
    const sized = counter.size > 0
    const emblem = this.palette.safe && side >= 16 ? this.emblemOf(counter.power) : ''
    // Beside a number the symbol stands to the left, under letters it is smaller; above a printed
    // number it makes room for them.
    const lettered = printed && emblem !== '' && !counter.second
    const inner = side * (lettered ? 0.54 : printed ? 0.58 : emblem ? 0.66 : 0.76)
    const left = lettered ? side * 0.43 : sized || many ? side * 0.07 : (side - inner) / 2
    const top = printed ? side * 0.03 : emblem ? side * 0.31 : side * (many && !sized ? 0.07 : 0.12)
    ink.globalAlpha = moved ? (this.palette.dark ? 0.85 : 0.7) : 1
    if (counter.second) {
      // The lesser of the two stands behind the other one.
      const less = inner * 0.82
      drawSymbol(ink, counter.symbol, side * 0.02, top, inner, paint.ink)
      drawSymbol(ink, counter.second, wide - less - side * 0.03, top, less, paint.ink)
    } else drawSymbol(ink, counter.symbol, left, top, inner, paint.ink)
    ink.globalAlpha = 1
    if (printed) {
      const font = Math.max(8, side * 0.46)
      this.text(ink, `${counter.count}`, wide * 0.5, side * 0.79, font, paint.ink, 800)
    }
    if (sized) {
      const font = Math.max(10, side * 0.56)
      this.text(ink, `${counter.size}`, side * 1.1, side * 0.53, font, paint.ink, 800)
    }
    if (emblem) {
      const font = Math.max(7, side * 0.27)
      ink.textAlign = 'left'
      const y = side * (lettered ? 0.3 : printed ? 0.82 : 0.17)
      this.text(ink, emblem, side * 0.05, y, font, paint.ink, 800, paint.fill)
      ink.textAlign = 'center'
    }
    if (counter.states.includes('damaged') || counter.states.includes('depleted')) {
      this.corner(ink, wide, side)
    }
    if (counter.states.includes('submerged')) this.wave(ink, side)
    if (counter.states.includes('unsupplied')) this.dot(ink, side, map.hint)
    else if (counter.states.includes('defense_supply')) this.dot(ink, side, map.sign)
    else if (counter.states.includes('new')) this.dot(ink, side, '#ffffff')
    if (many) this.count(ink, counter, side)
  }

  /** What a ship carries, in a tray below it. */
  private drawCargo(ink: Ink, counter: Counter, side: number): void {
    const wide = counterWidth(counter, side)
    const paint = this.paintOf(counter.cargo[0]!.power)
    ink.beginPath()
    ink.roundRect(side * 0.06, side * 0.7, wide - side * 0.12, side * 0.68, side * 0.16)
    ink.fillStyle = paint.fill
    ink.fill()
    ink.strokeStyle = this.palette.map.edge
    ink.lineWidth = 0.8
    ink.stroke()
    const shown = counter.cargo.slice(0, 3)
    const small = side * 0.3
    shown.forEach((each, i) => {
      const x = wide / 2 + (i - shown.length / 2) * small
      drawSymbol(ink, each.symbol, x, side * 1.04, small * 0.96, this.paintOf(each.power).ink)
    })
  }

  private count(ink: Ink, counter: Counter, side: number): void {
    const { font, width } = countLabel(counter, side)
    const x = counterWidth(counter, side) + overhang(counter, side) - width
    const y = side + 3 - font * 1.1
    ink.beginPath()
    ink.roundRect(x, y, width, font * 1.1, font * 0.4)
    ink.fillStyle = this.palette.map.halo
    ink.fill()
    ink.strokeStyle = this.palette.map.edge
    ink.lineWidth = 0.7
    ink.stroke()
    const text = `${counter.count}`
    this.text(ink, text, x + width / 2, y + font * 0.57, font, this.palette.map.ink, 700)
  }

  private corner(ink: Ink, wide: number, side: number): void {
    ink.save()
    ink.translate(wide - side, 0)
    ink.beginPath()
    ink.moveTo(side * 0.58, 0)
    ink.lineTo(side * 0.82, 0)
    ink.quadraticCurveTo(side, 0, side, side * 0.18)
    ink.lineTo(side, side * 0.42)
    ink.lineTo(side * 0.84, side * 0.26)
    ink.lineTo(side * 0.74, side * 0.3)
    ink.closePath()
    ink.fillStyle = '#e02a1b'
    ink.fill()
    ink.strokeStyle = '#ffffff'
    ink.lineWidth = 0.8
    ink.stroke()
    ink.restore()
  }

  private wave(ink: Ink, side: number): void {
    const [y, part] = [side * 0.8, side / 4]
    ink.beginPath()
    ink.moveTo(side * 0.04, y)
    for (let i = 0; i < 4; i++) {
      const x = side * 0.04 + i * part * 0.92
      ink.quadraticCurveTo(x + part * 0.46, y + (i % 2 ? 1 : -1) * side * 0.12, x + part * 0.92, y)
    }
    ink.strokeStyle = '#9bd6ff'
    ink.lineWidth = Math.max(1.4, side * 0.08)
    ink.stroke()
  }

  private dot(ink: Ink, side: number, colour: string): void {
    ink.beginPath()
    ink.arc(side * 0.1, side * 0.9, Math.max(2.4, side * 0.13), 0, 7)
    ink.fillStyle = colour
    ink.fill()
    ink.strokeStyle = this.palette.map.edge
    ink.lineWidth = 0.8
    ink.stroke()
  }

  private text(
    ink: Ink,
    text: string,
    x: number,
    y: number,
    font: number,
    colour: string,
    weight: number,
    halo = '',
  ): void {
    ink.font = fontOf(font, false, weight)
    if (ink.textAlign !== 'left') ink.textAlign = 'center'
    ink.textBaseline = 'middle'
    if (halo) {
      ink.strokeStyle = halo
      ink.lineWidth = 2
      ink.lineJoin = 'round'
      ink.strokeText(text, x, y)
    }
    ink.fillStyle = colour
    ink.fillText(text, x, y)
  }

  private drawLabel(ink: Ink, label: Label): void {
    const { map } = this.palette
    ink.textAlign = 'center'
    ink.textBaseline = 'middle'
    ink.lineJoin = 'round'
    ink.font = fontOf(label.font, label.sea)
    for (const pass of ['halo', 'words'] as const) {
      label.lines.forEach((line, i) => {
        const y = (i + 0.5) * label.font * LINE
        if (pass === 'halo') {
          ink.strokeStyle = label.sea ? map.sea : map.halo
          ink.globalAlpha = label.sea ? 0.7 : 0.62
          ink.lineWidth = label.sea ? 3 : 2.6
          ink.strokeText(line, label.width / 2, y)
          ink.globalAlpha = 1
        } else {
          ink.fillStyle = label.sea ? map['sea-ink'] : map.ink
          ink.fillText(line, label.width / 2, y)
        }
      })
    }
    const gap = label.lines.length ? 1 : 0
    const top = label.lines.length * label.font * LINE + gap
    const widths = label.marks.map((mark) => markWidth(mark, label.font, this.measure))
    let x = (label.width - widths.reduce((a, b) => a + b + MARK_GAP, -MARK_GAP)) / 2
    label.marks.forEach((mark, i) => {
      this.drawMark(ink, mark, x, top, label.font, widths[i]!)
      x += widths[i]! + MARK_GAP
    })
  }

  private drawMark(ink: Ink, mark: Mark, x: number, y: number, font: number, width: number): void {
    const { map } = this.palette
    const side = markSide(font)
    const colour = toneOf(this.palette, mark.tone)
    if (mark.symbol === 'ipc') {
      ink.beginPath()
      ink.roundRect(x, y + side * 0.04, width, side * 0.92, side * 0.46)
      ink.fillStyle = map.halo
      ink.globalAlpha = 0.75
      ink.fill()
      ink.globalAlpha = 1
      ink.strokeStyle = map.sign
      ink.lineWidth = 0.8
      ink.stroke()
      ink.textAlign = 'center'
      this.text(ink, mark.text ?? '', x + width / 2, y + side * 0.53, font * 0.82, colour, 600)
      return
    }
    // A soft ground under the sign, so that it can be read on every colour of land.
    ink.save()
    ink.shadowColor = map.halo
    ink.shadowBlur = 3 * this.ratio
    drawSymbol(ink, mark.symbol, x, y, side, colour)
    drawSymbol(ink, mark.symbol, x, y, side, colour)
    ink.restore()
    if (mark.text) {
      ink.textAlign = 'left'
      this.text(ink, mark.text, x + side + 1, y + side * 0.55, font * 0.85, colour, 700, map.halo)
      ink.textAlign = 'center'
    }
  }
}
