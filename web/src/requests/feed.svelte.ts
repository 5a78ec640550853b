// What happens in battles, at a pace at which people can follow: the lines of the log with their
// dice come onto the battle board one after the other.

import type { GameStore } from '../lib/game.svelte'
import { reducedMotion } from '../lib/motion'
import type { Battle, Combatant, Line, Picture } from '../lib/types'
import { toll } from './toll'

const TUMBLE = 420
const HURRY = 130
const LINGER = 6000
/** More rolls than this waiting, and they hurry. */
const BEHIND = 5

const head = (line: Line) => (line.level ?? 2) < 2

export class Feed {
  /** The battle that is shown: the one being fought, or for a moment the one that ended. */
  battle = $state.raw<Battle | null>(null)
  running = $state(false)
  /** Without a battle: what the dice are about. */
  heading = $state('')
  /** What has happened in it, oldest first; the first `shown` are on the table. */
  lines = $state.raw<Line[]>([])
  shown = $state(0)
  /** The dice of the newest line on the table are still tumbling. */
  rolling = $state(false)

  #seen: Line[] | null = null
  /** The last position without a battle, and how the battle stands when all dice have fallen. */
  #before: Picture | null = null
  #outcome: Battle | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Whether something still comes onto the table. */
  get busy(): boolean {
    return this.rolling || this.shown < this.lines.length
  }

  /** Take in how the game stands now. */
  take(log: Line[], picture: Picture): void {
    const battle = picture.battle ?? null
    const before = this.#seen
    this.#seen = log
    const fought = this.running ? this.#outcome : null
    const another = battle !== null && battle.space !== fought?.space
    // Between two battles that follow each other at once there was no such position.
    const earlier = fought && another ? null : this.#before
    this.#before = battle ? earlier : picture
    if (!before) {
      // The page was opened in the middle of it: what has fallen is not rolled again.
      this.battle = this.#outcome = battle
      this.running = battle !== null
      this.lines = battle ? log.slice(log.findLastIndex(head) + 1).slice(-6) : []
      this.shown = this.lines.length
      return
    }
    const back = before.length > log.length || before[before.length - 1] !== log[before.length - 1]
    let news = back ? [] : log.slice(before.length)
    if (!battle && !this.running) {
      // Dice outside a battle: from the first that has some.
      const first = news.findIndex((line) => line.throws?.length)
      const about = log.slice(0, log.length - news.length + first).findLast(head)
      const last = news.findLastIndex((line) => line.throws?.length)
      const next = news.findIndex((line, at) => at > last && head(line))
      news = first < 0 ? [] : news.slice(first, next < 0 ? undefined : next)
      if (!news.length && !back) return
      this.battle = null
      // Several battles at once have no common heading.
      this.heading = news.some(head) ? '' : (about?.text ?? '')
    }
    if (!battle && this.running) {
      // It is over, and so perhaps is the phase: what comes then does not belong to it.
      const end = news.findIndex(head)
      if (end >= 0) news = news.slice(0, end)
    }
    if (back || another || (!battle && !this.running && !this.busy)) {
      this.lines = []
      this.shown = 0
      this.rolling = false
    }
    this.running = battle !== null
    if (battle) this.#outcome = battle
    else if (fought) this.#outcome = ended(fought, earlier, picture)
    // What is hit goes when the dice have fallen.
    if (battle && (another || back)) this.battle = battle
    this.lines = [...this.lines, ...news]
    this.#next()
  }

  /** Everything at once; nothing is left to wait for. */
  hurry(): void {
    clearTimeout(this.#timer)
    this.shown = this.lines.length
    this.rolling = false
    this.#rest()
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.battle = this.#outcome = null
    this.running = false
    this.lines = []
    this.shown = 0
    this.rolling = false
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #next(): void {
    clearTimeout(this.#timer)
    if (reducedMotion()) {
      this.hurry()
      return
    }
    if (this.rolling) {
      this.#settle()
      return
    }
    while (this.shown < this.lines.length) {
      const line = this.lines[this.shown]
      this.shown += 1
      if (line?.throws?.length) {
        this.rolling = true
        this.#settle()
        return
      }
    }
    this.#rest()
  }

  #settle(): void {
    const waiting = this.lines.slice(this.shown).filter((line) => line.throws?.length).length
    const pace = waiting > BEHIND ? HURRY : TUMBLE
    this.#timer = setTimeout(() => {
      this.rolling = false
      // A breath between two rolls, so that the first can be read.
      this.#timer = setTimeout(() => this.#next(), waiting > BEHIND ? 0 : waiting ? TUMBLE : 0)
    }, pace)
  }

  #rest(): void {
    if (this.battle) this.battle = this.#outcome
    if (!this.running) this.#timer = setTimeout(() => this.clear(), LINGER)
  }
}

/** A battle after its end: who is left in its space, and what it has cost. */
function ended(battle: Battle, before: Picture | null, after: Picture): Battle {
  const cost = before && toll(before, after).lost
  const left = after.spaces[battle.space]?.stacks ?? []
  const sides = battle.sides.map((side): Combatant => {
    const stacks = [...side.stacks, ...(side.lost ?? [])]
    const powers = new Set([side.power, ...stacks.map((stack) => stack.power)])
    const names = new Set(side.stacks.flatMap((stack) => stack.pieces.map((piece) => piece.name)))
    return {
      title: side.title,
      power: side.power,
      stacks: left
        .filter((stack) => powers.has(stack.power))
        .map(({ power, pieces }) => ({
          power,
          pieces: pieces.filter((piece) => names.has(piece.name)),
        })),
      lost: cost ? [...powers].map((power) => ({ power, pieces: cost[power] ?? [] })) : side.lost,
    }
  })
  return { ...battle, sides }
}

const feeds = new WeakMap<GameStore, Feed>()

/** The feed of a game: the battle board fills it, the panel waits for it. */
export function feedOf(game: GameStore): Feed {
  let feed = feeds.get(game)
  if (!feed) {
    feed = new Feed()
    feeds.set(game, feed)
  }
  return feed
}
