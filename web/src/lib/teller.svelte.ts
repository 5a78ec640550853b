// The teller shows what happens at a pace at which people can follow: one player for the turns of
// bots and of others, and for a replay of the past.
//
// What comes (from the socket, or from the past) is a *frame*: the lines of one decision, and the
// position after it. Frames are told one after the other, and in them line by line. Until a line is
// told, nothing of it is anywhere on the page: everything that is shown reads the game *at the moment
// that is being told*, and nothing else.
//
//   game.shown           the position of the moment (with `battle`), now or in a replay
//   game.told            the log up to the moment; its last line is the one being told
//   game.teller.line     the place of that line in `game.told`; -1 while nothing is being told
//   game.teller.rolling  its dice are still tumbling: what they show is not to be told yet
//   game.teller.busy     more is to come: nobody is asked anything until it is told
//   game.teller.skip()   everything at once ("Show all now")
//   game.odds(…)         the odds of the position that is shown, not of what the server knows already
//
// Until its frame ends, `game.shown` is the position before it; how a battle stood when a line was
// told stands in the line itself (`line.fight`, `line.battle`, `line.over`). `game.teller.pause()` holds
// everything, `resume()` goes on.

import { reducedMotion } from './motion'
import { keep, recall } from './storage'
import type { Line, Picture, Piece } from './types'

/** How fast it is told; 0 is at once. */
export type Speed = 0 | 1 | 2 | 4
export const SPEEDS: Speed[] = [1, 2, 4, 0]

const KEY = 'sandtable.speed'

class Pace {
  #chosen = $state<Speed | null>(chosen())

  /** The player's choice; else the usual one, or at once for those who want nothing to move. */
  get speed(): Speed {
    return this.#chosen ?? (reducedMotion() ? 0 : 1)
  }

  set speed(speed: Speed) {
    this.#chosen = speed
    keep(KEY, String(speed))
  }
}

function chosen(): Speed | null {
  const kept = recall(KEY)
  return SPEEDS.find((speed) => String(speed) === kept) ?? null
}

export const pace = new Pace()

/** What is told of one decision. */
export interface Frame {
  /** The position before it and after it. */
  before: Picture
  after: Picture
  lines: Line[]
  /** The place of the first of them in the log. */
  first: number
  /** It is a replay: what people did themselves is told as well, and never at once. */
  again?: boolean
  /** Show so many of its lines, and this position. */
  show(lines: number, picture: Picture): void
  /** It is told: everything is as it is after it. */
  end(): void
}

/** Units on their way. */
export interface March {
  path: string[]
  pieces: { power: string; piece: Piece }[]
  /** For how long, in milliseconds. */
  time: number
}

/** For how long something is shown at the usual speed, in milliseconds. */
const TUMBLE = 500
const READ = 800
const MARCH = 950
const DEED = 600
const TURN = 500
const SAID = 250

export class Teller {
  line = $state(-1)
  rolling = $state(false)
  /** The frames that are not yet told to their end. */
  behind = $state(0)
  paused = $state(false)
  march = $state.raw<March | null>(null)
  /** Where it happens: the camera goes there. */
  places = $state.raw<string[]>([])

  /** Whether it waits after this line until somebody lets it go on. */
  holds: (line: Line) => boolean = () => false

  #frames: Frame[] = []
  #script: Generator<number> | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #own: (power: string) => boolean

  /** `own` says whether a power is run by whoever looks: what they do themselves is not told again,
   *  but for the dice. */
  constructor(own: (power: string) => boolean) {
    this.#own = own
  }

  get busy(): boolean {
    return this.behind > 0
  }

  /** Tell a frame, after those that are being told. */
  add(frame: Frame): void {
    this.#frames.push(frame)
    this.behind = this.#frames.length
    if (!this.#script) this.#next()
    // The choice may have changed meanwhile, or nobody looks any more.
    else if (this.#atOnce()) this.skip()
  }

  /** Everything that waits, at once. */
  skip(): void {
    const frames = this.#frames
    this.clear()
    for (const frame of frames) frame.end()
  }

  /** Forget what waits to be told. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#frames = []
    this.#script = null
    this.#rest()
  }

  pause(): void {
    this.paused = true
    clearTimeout(this.#timer)
  }

  resume(): void {
    this.paused = false
    clearTimeout(this.#timer)
    this.#next()
  }

  #atOnce(): boolean {
    return !this.#frames[0]?.again && (pace.speed === 0 || document.hidden)
  }

  /** For how long something is shown that takes so long at the usual speed. */
  #time(usual: number): number {
    return usual / (pace.speed || 4)
  }

  #rest(): void {
    this.line = -1
    this.rolling = false
    this.march = null
    this.behind = 0
    this.paused = false
  }

  #next(): void {
    if (this.#atOnce()) return this.skip()
    while (!this.paused) {
      this.#script ??= this.#frames[0] ? this.#tell(this.#frames[0]) : null
      if (!this.#script) return this.#rest()
      const { value, done } = this.#script.next()
      if (!done) {
        this.#timer = setTimeout(() => this.#next(), this.#time(value))
        return
      }
      const frame = this.#frames.shift()
      this.#script = null
      this.behind = this.#frames.length
      frame?.end()
    }
  }

  /** Tell a frame line by line; what comes out is for how long to wait. */
  *#tell(frame: Frame): Generator<number> {
    let { before } = frame
    for (const [at, line] of frame.lines.entries()) {
      const own = !frame.again && this.#own(line.power ?? '')
      const path = line.path ?? []
      const dice = (line.throws?.length ?? 0) > 0
      this.line = frame.first + at
      this.rolling = dice
      frame.show(at + 1, before)
      if (!own || dice) this.places = path.length ? path : (line.spaces ?? [])
      if (dice) {
        yield TUMBLE
        this.rolling = false
        yield READ
      } else if (own || !line.power) {
        // Nothing to wait for.
      } else if (path.length > 1) {
        before = left(before, frame.after, path[0]!)
        const pieces = gone(frame.before, frame.after, path[0]!)
        this.march = { path, pieces, time: this.#time(MARCH) }
        frame.show(at + 1, before)
        yield MARCH
        this.march = null
      } else if (path.length) yield DEED
      else yield (line.level ?? 2) === 0 ? TURN : SAID
      // A replay has been seen before.
      if (!frame.again && this.holds(line)) {
        this.pause()
        yield 0
      }
    }
  }
}

const keyOf = (piece: Piece) => [piece.id, piece.symbol, piece.name, piece.size].join(' ')

/** The position before, but that those who march have left `space`. */
function left(before: Picture, after: Picture, space: string): Picture {
  const there = before.spaces[space]
  if (!there || !gone(before, after, space).length) return before
  const stacks = after.spaces[space]?.stacks ?? []
  return { ...before, spaces: { ...before.spaces, [space]: { ...there, stacks } } }
}

/** What was in a space before and is not there after. */
export function gone(before: Picture, after: Picture, space: string): March['pieces'] {
  const rest = new Map<string, number>()
  for (const stack of after.spaces[space]?.stacks ?? []) {
    for (const piece of stack.pieces) {
      const key = `${stack.power} ${keyOf(piece)}`
      rest.set(key, (rest.get(key) ?? 0) + (piece.count ?? 1))
    }
  }
  const found: March['pieces'] = []
  for (const stack of before.spaces[space]?.stacks ?? []) {
    for (const piece of stack.pieces) {
      const key = `${stack.power} ${keyOf(piece)}`
      const there = rest.get(key) ?? 0
      const count = (piece.count ?? 1) - there
      rest.set(key, Math.max(0, -count))
      if (count > 0) found.push({ power: piece.power || stack.power, piece: { ...piece, count } })
    }
  }
  return found
}
