// Where the log had come to when I last looked, so that whoever comes back finds what is new.

import { keep, recall } from './storage'

export class Seen {
  /** The place of the first line that is new to me; 0: there is none. */
  since = $state(0)

  #key: string
  #lines: number
  #looking = false

  constructor(game: string) {
    this.#key = `sandtable.seen.${game}`
    this.#lines = Number(recall(this.#key)) || 0
  }

  /** The log has so many lines, and I look at it or I do not. */
  take(lines: number, looking: boolean): void {
    if (looking) {
      if (!this.#looking && this.#lines > 0 && lines > this.#lines) this.since = this.#lines
      // What was new has been taken back.
      if (this.since >= lines) this.since = 0
      this.#lines = lines
      keep(this.#key, String(lines))
    }
    this.#looking = looking
  }
}
