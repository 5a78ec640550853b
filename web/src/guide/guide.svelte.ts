// Whether a game is played with the first-game guide, how far it has come, and what it points at.
// Remembered in the browser, so that the guide can be left and resumed.

const KEY = 'sandtable.guide'

interface Memory {
  on: boolean
  /** The ids of the steps that are behind us. */
  done: string[]
}

function read(): Record<string, Memory> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, Memory>
  } catch {
    return {}
  }
}

class Guide {
  #games = $state<Record<string, Memory>>(read())
  /** Spaces that the guide points at now. */
  hints = $state.raw<string[]>([])

  /** Whether the guide is open in this game. */
  on(game: string): boolean {
    return this.#games[game]?.on ?? false
  }

  /** Whether it has been opened in this game before. */
  known(game: string): boolean {
    return game in this.#games
  }

  done(game: string): string[] {
    return this.#games[game]?.done ?? []
  }

  /** Open it, where it was left. */
  open(game: string): void {
    this.#keep(game, { on: true, done: this.done(game) })
  }

  leave(game: string): void {
    this.hints = []
    this.#keep(game, { on: false, done: this.done(game) })
  }

  /** From the first step again. */
  restart(game: string): void {
    this.#keep(game, { on: true, done: [] })
  }

  finish(game: string, step: string): void {
    const done = this.done(game)
    if (!done.includes(step)) this.#keep(game, { on: this.on(game), done: [...done, step] })
  }

  #keep(game: string, memory: Memory): void {
    const games = { ...this.#games, [game]: memory }
    // Only the latest games are worth remembering.
    for (const old of Object.keys(games).slice(0, -20)) delete games[old]
    this.#games = games
    try {
      localStorage.setItem(KEY, JSON.stringify(games))
    } catch {
      // Private windows may have no storage: then the guide lasts as long as the page.
    }
  }
}

export const guide = new Guide()
