// Whether the map shows what others have just done: the player's choice.

import { keep, recall } from './storage'

const KEY = 'sandtable.traces'

class Traces {
  #on = $state(recall(KEY) !== 'off')

  get on(): boolean {
    return this.#on
  }

  set on(on: boolean) {
    this.#on = on
    keep(KEY, on ? 'on' : 'off')
  }
}

export const traces = new Traces()
