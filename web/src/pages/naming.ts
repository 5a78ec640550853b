// Names of options, values and powers for people, where only ids are known.

import type { GameInfo, Option } from '../lib/types'

/** An option's name as people read it: `road_to_war`, "Road to war". */
export function inWords(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A power where only its id is known; short ids are abbreviations. */
export function powerInWords(id: string): string {
  return id.length <= 4 ? id.toUpperCase() : id.split('_').map(inWords).join(' ')
}

export function valueInWords(option: Option, value: unknown): string {
  const known = option.words[String(value)]
  if (known) return known[0]
  if (value === null) return 'Any'
  if (value === true) return 'Yes'
  if (value === false) return 'No'
  return typeof value === 'string' ? inWords(value) : String(value)
}

/** A number of hours in words: `5 minutes`, `1 hour 30 minutes`, `3 days`. */
export function hoursInWords(hours: number): string {
  const minutes = Math.round(hours * 60)
  const parts: [number, string][] =
    minutes % 1440
      ? [
          [Math.floor(minutes / 60), 'hour'],
          [minutes % 60, 'minute'],
        ]
      : [[minutes / 1440, 'day']]
  return parts
    .filter(([number]) => number)
    .map(([number, unit]) => `${number} ${unit}${number === 1 ? '' : 's'}`)
    .join(' ')
}

/** What a clock says. */
export function clockInWords(clock: NonNullable<GameInfo['clock']>, short = false): string {
  const time = `${hoursInWords(clock.hours)} for a decision`
  if (short) return time
  return clock.then === 'bot'
    ? `${time}, then a bot plays on`
    : `${time}, then the same side may let a bot play on`
}
