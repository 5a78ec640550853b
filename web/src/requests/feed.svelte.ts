// What happens in a battle: the lines of the log with their dice, as the teller tells them, and how
// the battle stands at that moment.

import type { GameStore } from '../lib/game.svelte'
import type { Battle, Combatant, Line, Picture } from '../lib/types'
import { toll } from './toll'

const LINGER = 6000

const isHead = (line: Line) => (line.level ?? 2) < 2

export class Feed {
  /** The battle that is shown: the one being fought, or for a moment the one that ended. */
  battle = $state.raw<Battle | null>(null)
  running = $state(false)
  /** Without a battle: what the dice are about. */
  heading = $state('')
  /** What has happened in it, oldest first. */
  lines = $state.raw<Line[]>([])

  #seen: Line[] | null = null
  /** The last position without a battle. */
  #before: Picture | null = null
  /** What is told belongs to the dice that were shown. */
  #open = false
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Take in how the game stands at the moment that is shown. */
  take(log: Line[], picture: Picture): void {
    const battle = picture.battle ?? null
    const before = this.#seen
    this.#seen = log
    const fought = this.running ? this.battle : null
    const another = battle !== null && battle.space !== fought?.space
    // Between two battles that follow each other at once there was no such position.
    const earlier = fought && another ? null : this.#before
    this.#before = battle ? earlier : picture
    if (!before) {
      // The page was opened in the middle of it.
      this.battle = battle
      this.running = battle !== null
      this.lines = battle ? log.slice(log.findLastIndex(isHead) + 1).slice(-6) : []
      return
    }
    const back = before.length > log.length || before[before.length - 1] !== log[before.length - 1]
    let news = back ? [] : log.slice(before.length)
    if (back || another) this.#empty()
    if (battle) {
      this.battle = battle
      this.running = true
      this.lines = [...this.lines, ...news]
      clearTimeout(this.#timer)
      return
    }
    if (fought) {
      this.battle = ended(fought, earlier, picture)
      this.running = false
      this.#open = true
      // So perhaps is the phase: what comes then does not belong to it.
      const end = news.findIndex(isHead)
      if (end >= 0) news = news.slice(0, end)
    }
    const lines = [...this.lines]
    for (const [at, line] of news.entries()) {
      if (isHead(line)) this.#open = false
      else if (line.throws?.length && !this.#open) {
        // Dice outside a battle, and what comes of them.
        lines.length = 0
        this.battle = null
        this.heading = log.slice(0, log.length - news.length + at).findLast(isHead)?.text ?? ''
        this.#open = true
      }
      if (this.#open) lines.push(line)
    }
    if (!fought && lines.length === this.lines.length) return
    this.lines = lines
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.clear(), LINGER)
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.battle = null
    this.running = false
    this.#empty()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #empty(): void {
    this.lines = []
    this.#open = false
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
