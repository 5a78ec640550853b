// Short messages at the edge of the screen: what went wrong, what was done.

import { ApiError, problemOf } from './api'

export interface Toast {
  id: number
  text: string
  tone: 'bad' | 'good' | 'plain'
  /** The rule behind it, and the game whose rule it is. */
  rule: string
  game: string
}

const FOR = 9000
let last = 0

class Toasts {
  list = $state.raw<Toast[]>([])

  add(text: string, tone: Toast['tone'] = 'plain', rule = '', game = ''): void {
    // The same sentence twice tells nobody more.
    const others = this.list.filter((toast) => toast.text !== text)
    const toast = { id: ++last, text, tone, rule, game }
    this.list = [...others, toast].slice(-3)
    setTimeout(() => this.drop(toast.id), rule ? FOR * 2 : FOR)
  }

  /** Say what went wrong. */
  fail(failure: unknown, game = ''): void {
    const problem: ApiError = problemOf(failure)
    this.add(problem.error, 'bad', problem.rule, game)
  }

  drop(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id)
  }
}

export const toasts = new Toasts()
