// Which step of a guide is to be shown: guides are data of the game's package, read here.

import type { About, Guide, GuideStep, Picture, When, Where } from '../lib/types'

/** The game as far as a guide has to know it. */
export interface Now {
  /** The kind of my open request; '' while others decide. */
  kind: string
  /** Whether the request can be answered by itself, with all that follow while it is clear. */
  clear: boolean
  picture: Picture
}

/** The first step that is not behind us and has something to say. */
export function current(guide: Guide, done: readonly string[], now: Now): GuideStep | undefined {
  return guide.steps.find((step) => !done.includes(step.id) && speaks(step, now))
}

/** Whether a step has something to say now. */
export const speaks = (step: GuideStep, now: Now): boolean =>
  step.when.some((when) => holds(when, now))

/** Whether a step waits for something that the player does. */
export const waits = (step: GuideStep): boolean => !!step.until || !!step.stays

export function holds(when: When, now: Now): boolean {
  const { moment, battle } = now.picture
  const round = moment.round ?? 0
  return (
    (!when.rounds || (when.rounds[0] <= round && round <= when.rounds[1])) &&
    (!when.asked || when.asked.includes(now.kind)) &&
    (when.idle === undefined || when.idle === (now.kind === '')) &&
    (!when.turn || when.turn.includes(moment.power ?? '')) &&
    (!when.phase || moment.phase.toLowerCase().includes(when.phase.toLowerCase())) &&
    (!when.clear || now.clear) &&
    (!when.battle || !!battle) &&
    (when.at ?? []).every((where) => found(where, where.space ?? '', now)) &&
    !(when.unless ?? []).some((other) => holds(other, now))
  )
}

/** The places that a step points at. */
export function pointed(step: GuideStep, now: Now): string[] {
  const { spaces, only } = step
  if (!only) return spaces ?? []
  return (spaces ?? Object.keys(now.picture.spaces)).filter((space) => found(only, space, now))
}

function found(where: Where, space: string, now: Now): boolean {
  const at = now.picture.spaces[space]
  if (where.holder !== undefined && where.holder !== (at?.owner ?? '')) return false
  if (where.tag && !at?.tags?.includes(where.tag)) return false
  if (!where.power && !where.symbol && !where.piece) return true
  return (at?.stacks ?? []).some(
    (stack) =>
      (!where.power || stack.power === where.power) &&
      stack.pieces.some(
        (piece) =>
          (!where.symbol || piece.symbol === where.symbol) &&
          (!where.piece || piece.name === where.piece),
      ),
  )
}

/** The part of the screen that a step points at, as a selector. */
export function selector(point: string): string {
  const [what, ...rest] = point.split(' ')
  const name = JSON.stringify(rest.join(' '))
  if (what === 'row') return `.request [data-row=${name}]`
  if (what === 'choice') return `.request [data-choice^=${name}]`
  return `.request [data-answer="${what}"]`
}

/** The guide for whoever plays some powers of a game, if there is one. */
export function guideOf(about: About | null, plays: (power: string) => boolean): Guide | null {
  return about?.guide && plays(about.guide.power) ? about.guide : null
}
