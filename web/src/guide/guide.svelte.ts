// Whether a game is played with the first-game guide, how far it has come, and what it points at.
// Remembered in the browser, so that the guide can be left and resumed.

import { keep, recall } from '../lib/storage'

const KEY = 'sandtable.guide'

/** That the goals have been read is remembered like a step. */
export const GOALS = 'goals'

interface Memory {
  on: boolean
  /** The steps that are behind us, with how many lines the log had then. */
  done: Record<string, number>
}

function read(): Record<string, Memory> {
  try {
    return JSON.parse(recall(KEY) || '{}') as Record<string, Memory>
  } catch {
    return {}
  }
}

class Guide {
  #games = $state<Record<string, Memory>>(read())
  /** The game whose goals are to be shown, though they have been read. */
  goals = $state('')
  /** Spaces that the guide points at now. */
  hints = $state.raw<string[]>([])

  /** Whether the guide is open in this game. */
  on(game: string): boolean {
    return this.#games[game]?.on ?? false
  }

  /** The ids of the steps that are behind us. */
  done(game: string): string[] {
    return Object.keys(this.#done(game))
  }

  /** Open it, where it was left. */
  open(game: string): void {
    this.#keep(game, { on: true, done: this.#done(game) })
  }

  leave(game: string): void {
    this.hints = []
    // Who leaves it has had enough of cards.
    this.#keep(game, { on: false, done: { ...this.#done(game), [GOALS]: 0 } })
  }

  /** A step is behind us, in a log of so many lines. */
  finish(game: string, step: string, lines: number): void {
    const done = this.#done(game)
    if (!(step in done)) this.#keep(game, { on: this.on(game), done: { ...done, [step]: lines } })
  }

  /** The log has so many lines: what was done after them has been taken back, and is said again. */
  rewind(game: string, lines: number): void {
    const done = Object.entries(this.#done(game))
    const left = done.filter(([, at]) => at <= lines)
    if (left.length < done.length) {
      this.#keep(game, { on: this.on(game), done: Object.fromEntries(left) })
    }
  }

  #done(game: string): Record<string, number> {
    return this.#games[game]?.done ?? {}
  }

  #keep(game: string, memory: Memory): void {
    const games = { ...this.#games, [game]: memory }
    // Only the latest games are worth remembering.
    for (const old of Object.keys(games).slice(0, -20)) delete games[old]
    this.#games = games
    keep(KEY, JSON.stringify(games))
  }
}

export const guide = new Guide()
