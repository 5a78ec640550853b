import type { Line, Throw } from './types'

const hitsOf = (one: Throw) => (one.hits?.filter(Boolean).length ?? 0) + (one.sure ?? 0)

/** Dice as they fell, for those who cannot see them. */
export function throwInWords(one: Throw): string {
  const said = one.hits?.length ? `; ${inWords(hitsOf(one))}` : ''
  return `${one.label}${one.note ? ` (${one.note})` : ''}: ${one.faces.join(', ')}${said}`
}

/** How many hits the dice of a line have brought, where dice hit or miss: then they say everything. */
export function lineHits(line: Line): string {
  const throws = line.throws ?? []
  if (!throws.length || throws.some((one) => one.hits?.length !== one.faces.length)) return ''
  const number = throws.reduce((sum, one) => sum + hitsOf(one), 0)
  return number ? inWords(number) : 'No hit'
}

const inWords = (number: number) => (number === 1 ? '1 hit' : `${number} hits`)
