// Short messages at the edge of the screen: what went wrong, what was done.

import { ApiError, onReached, problemOf } from './api'

export interface Toast {
  id: number
  text: string
  tone: 'bad' | 'good' | 'plain'
  /** The rule behind it, and the game whose rule it is. */
  rule: string
  game: string
  /** What it is about: when that is over, so is the message. */
  cause: Cause
}
/** The connection to the server, a decision in a game, or the page that is open. */
export type Cause = 'connection' | 'decision' | 'page'

const FOR = 9000
let last = 0

class Toasts {
  list = $state.raw<Toast[]>([])

  add(
    text: string,
    tone: Toast['tone'] = 'plain',
    rule = '',
    game = '',
    cause: Cause = rule ? 'decision' : 'page',
  ): void {
    // The same sentence twice tells nobody more.
    const others = this.list.filter((toast) => toast.text !== text)
    const toast = { id: ++last, text, tone, rule, game, cause }
    this.list = [...others, toast].slice(-3)
    setTimeout(() => this.drop(toast.id), rule ? FOR * 2 : FOR)
  }

  /** Say what went wrong. */
  fail(failure: unknown, game = ''): void {
    const problem: ApiError = problemOf(failure)
    const cause = problem.status === 0 ? 'connection' : undefined
    this.add(problem.error, 'bad', problem.rule, game, cause)
  }

  /** That is over: what went wrong with it is told no longer. */
  settle(cause: Cause): void {
    if (this.list.some((toast) => toast.cause === cause && toast.tone === 'bad')) {
      this.list = this.list.filter((toast) => toast.cause !== cause || toast.tone !== 'bad')
    }
  }

  drop(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id)
  }
}

export const toasts = new Toasts()
onReached(() => toasts.settle('connection'))
