// Lines that are kept up between places, as they are drawn and asked for.

import type { Arrow } from '../lib/table.svelte'
import type { Course, Network } from '../lib/types'

export interface Wanted {
  ends: [string, string]
  capacity: number
}

/** What a course is known by. */
export const keyOf = ({ ends }: { ends: [string, string] }) => ends.join(' ')

/** What a course carries and what of it is left, in a few letters. */
export function carried({ capacity = 0, left = 0 }: Course): string {
  return left < capacity ? `${left}/${capacity}` : `${capacity}`
}

/** The lines on the map: the chosen one on top of the others. */
export function linesOf(network: Network, chosen = ''): Arrow[] {
  return network.courses
    .filter((course) => (course.path?.length ?? 0) > 1)
    .map((course): Arrow => ({
      path: course.path ?? [],
      kind: 'course',
      label: carried(course),
      chosen: keyOf(course) === chosen,
    }))
    .sort((one, other) => Number(one.chosen) - Number(other.chosen))
}

/** The wishes with another one: a course that should carry what it carries is no wish. */
export function wishing(wanted: readonly Wanted[], wish: Wanted, now: Network): Wanted[] {
  const others = wanted.filter((one) => keyOf(one) !== keyOf(wish))
  const course = now.courses.find((one) => keyOf(one) === keyOf(wish))
  const idle = course ? (course.capacity ?? 0) === wish.capacity : !wish.capacity
  return idle ? others : [...others, wish]
}

/** The course through a space: of several the one after that which is chosen. */
export function through(network: Network, space: string, chosen: string): Course | undefined {
  const here = network.courses.filter(
    (course) => course.stations?.[space] !== undefined || course.ends.includes(space),
  )
  const at = here.findIndex((course) => keyOf(course) === chosen)
  return here[(at + 1) % here.length]
}
