// What happens in battles, at a pace at which people can follow: the lines of the log with their
// dice come onto the battle board one after the other.

import type { GameStore } from '../lib/game.svelte'
import { reducedMotion } from '../lib/motion'
import type { Battle, Line } from '../lib/types'

const TUMBLE = 420
const HURRY = 130
const LINGER = 6000
/** More rolls than this waiting, and they hurry. */
const BEHIND = 5

export class Feed {
  /** The battle that is shown: the one being fought, or for a moment the one that ended. */
  battle = $state.raw<Battle | null>(null)
  running = $state(false)
  /** What has happened in it, oldest first; the first `shown` are on the table. */
  lines = $state.raw<Line[]>([])
  shown = $state(0)
  /** The dice of the newest line on the table are still tumbling. */
  rolling = $state(false)

  #seen: Line[] | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Whether something still comes onto the table. */
  get busy(): boolean {
    return this.rolling || this.shown < this.lines.length
  }

  /** Take in how the game stands now. */
  take(log: Line[], battle: Battle | null): void {
    const before = this.#seen
    this.#seen = log
    if (!before) {
      // The page was opened in the middle of it: what has fallen is not rolled again.
      this.battle = battle
      this.running = battle !== null
      this.lines = battle
        ? log.slice(log.findLastIndex((line) => (line.level ?? 2) < 2) + 1).slice(-6)
        : []
      this.shown = this.lines.length
      return
    }
    const back = before.length > log.length || before[before.length - 1] !== log[before.length - 1]
    let news = back ? [] : log.slice(before.length)
    if (!battle && !this.running) {
      // Dice outside a battle: from the first that has some.
      const first = news.findIndex((line) => line.throws?.length)
      news = first < 0 ? [] : news.slice(first)
      if (!news.length && !back) return
      this.battle = null
    }
    const another = battle !== null && battle.space !== this.battle?.space
    if (back || another || (!this.running && battle) || (!battle && !this.running && !this.busy)) {
      this.lines = []
      this.shown = 0
      this.rolling = false
    }
    this.running = battle !== null
    if (battle) this.battle = battle
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
    this.battle = null
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
    if (!this.running) this.#timer = setTimeout(() => this.clear(), LINGER)
  }
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
