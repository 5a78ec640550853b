// What a guide is made of, and which step it is at.

import type { About, Line, Picture } from '../lib/types'

/** The game as far as a guide has to know it. */
export interface Now {
  /** The kind of my open request; '' while others decide. */
  kind: string
  /** Whether the request can be answered by itself, with all that follow while it is clear. */
  clear: boolean
  picture: Picture
  log: Line[]
  about: About
}

export interface Step {
  id: string
  title: string
  /** Paragraphs. */
  text: string[]
  /** Whether it has something to say now. */
  when: (now: Now) => boolean
  /** Whether what it asks for has been done; without it the player clicks on. */
  until?: (now: Now) => boolean
  /** Places on the map that it points at. */
  spaces?: (now: Now) => string[]
  /** The part of the screen that it points at: a selector. */
  point?: string
}

export interface Walk {
  /** The power that it is written for. */
  power: string
  fits: (about: About) => boolean
  steps: Step[]
}

/** The first step that is not behind us and has something to say. */
export function current(walk: Walk, done: readonly string[], now: Now): Step | undefined {
  return walk.steps.find((step) => !done.includes(step.id) && step.when(now))
}

// --- conditions

export const asked =
  (...kinds: string[]) =>
  ({ kind }: Now): boolean =>
    kinds.includes(kind)

export const holder = (now: Now, space: string): string => now.picture.spaces[space]?.owner ?? ''

/** How many pieces of a power (of a kind, if named) are in a space. */
export function pieces(now: Now, space: string, power: string, symbol = ''): number {
  let found = 0
  for (const stack of now.picture.spaces[space]?.stacks ?? []) {
    if (stack.power !== power) continue
    for (const piece of stack.pieces) {
      if (!symbol || piece.symbol === symbol) found += piece.count ?? 1
    }
  }
  return found
}

export const tagged = (now: Now, space: string, tag: string): boolean =>
  now.picture.spaces[space]?.tags?.includes(tag) ?? false

export const round = (now: Now): number => now.picture.moment.round ?? 0
