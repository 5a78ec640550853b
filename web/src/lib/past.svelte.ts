// The past of a game: its steps are the decisions that stand, whatever was taken back on the way.
// One looks at one of them, or has them told again by the teller.

import { changed, type GameStore } from './game.svelte'
import type { History } from './types'

/** Steps that are fetched at a time. */
const CHUNK = 12

export class Past {
  history = $state.raw<History | null>(null)
  /** After how many steps; null is now. */
  at = $state<number | null>(null)
  /** Steps are being told again. */
  playing = $state(false)

  #game: GameStore
  #known = -1
  #run = 0

  constructor(game: GameStore) {
    this.#game = game
  }

  get position(): number {
    return this.at ?? this.#game.steps
  }

  get step(): History['steps'][number] | undefined {
    return this.history?.steps[this.position - 1]
  }

  /** What is known of the steps is brought up to date. */
  async refresh(): Promise<void> {
    const { version } = this.#game
    if (this.#known === version) return
    this.history = await this.#game.history()
    this.#known = version
  }

  /** Look at the game after so many steps; null returns to now. */
  async goTo(step: number | null): Promise<void> {
    this.stop()
    const wanted = step === null || step >= this.#game.steps ? null : Math.max(0, step)
    this.at = wanted
    try {
      if (wanted === null) return await this.#game.lookBack(null)
      await this.refresh()
      const there = this.history!.steps[wanted - 1]
      await this.#game.lookBack(there?.version ?? 0, there?.lines)
    } catch (failure) {
      this.at = null
      await this.#game.lookBack(null)
      throw failure
    }
  }

  /** To where a turn begins, before or after here. */
  async turn(direction: -1 | 1): Promise<void> {
    await this.refresh()
    const marks = this.history!.steps.flatMap((one, at) => (one.level === 0 ? [at + 1] : []))
    const here = this.position
    await this.goTo(
      direction < 0
        ? (marks.findLast((step) => step < here) ?? 0)
        : (marks.find((step) => step > here) ?? null),
    )
  }

  /** Tell from here on what happened, to the end; or only steps with some of these lines of the
   *  log, from the first of them on. */
  async play(touched?: number[]): Promise<void> {
    this.stop()
    const run = ++this.#run
    this.playing = true
    try {
      await this.refresh()
      const { steps } = this.history!
      const wanted = touched
        ? steps.map(({ lines: [from, to] }) => touched.some((line) => line >= from && line < to))
        : null
      let next = wanted ? wanted.indexOf(true) : (this.at ?? 0)
      const last = wanted ? wanted.lastIndexOf(true) + 1 : steps.length
      while (next >= 0 && next < last && run === this.#run) {
        next = await this.#tell(run, next, last, wanted)
        // What was not wanted need not even be fetched.
        while (wanted && next < last && !wanted[next]) next += 1
      }
      if (run === this.#run) await this.goTo(null)
    } catch (failure) {
      if (run === this.#run) await this.goTo(null)
      throw failure
    }
  }

  /** Tell some steps from `start` on; the first that is left when only the last is being told. */
  async #tell(run: number, start: number, end: number, wanted: boolean[] | null): Promise<number> {
    const game = this.#game
    const { steps } = this.history!
    const before = steps[start - 1]
    const fetched = await game.replay(before?.version ?? 0, Math.min(CHUNK, end - start))
    if (run !== this.#run) return end
    let picture = fetched.picture
    if (!game.past) {
      const line = before?.lines[1] ?? 0
      game.lookAt(before?.version ?? 0, picture, [line, line])
    }
    await new Promise<void>((done) => {
      this.#stopped = done
      for (const [number, { version, changes }] of fetched.steps.entries()) {
        const step = start + number
        const [from, to] = steps[step]!.lines
        const after = changed(picture, changes)
        game.teller.add({
          before: picture,
          after,
          lines: wanted && !wanted[step] ? [] : game.log.slice(from, to),
          first: from,
          again: true,
          show: (lines, shown) => game.lookAt(version, shown, [from, from + lines]),
          end: () => {
            this.at = step + 1
            game.lookAt(version, after, [from, to])
            if (number === fetched.steps.length - 1) done()
          },
        })
        picture = after
      }
      if (!fetched.steps.length) done()
    })
    return fetched.steps.length ? start + fetched.steps.length : end
  }

  #stopped: () => void = () => {}

  /** Stay where it is. */
  stop(): void {
    this.#run += 1
    if (this.playing) this.#game.teller.clear()
    this.playing = false
    this.#stopped()
  }
}

const pasts = new WeakMap<GameStore, Past>()

/** The past of a game. */
export function pastOf(game: GameStore): Past {
  let past = pasts.get(game)
  if (!past) {
    past = new Past(game)
    pasts.set(game, past)
  }
  return past
}
