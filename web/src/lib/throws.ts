import type { Throw } from './types'

/** Dice as they fell, for those who cannot see them. */
export function throwInWords(one: Throw): string {
  const hits = one.hits?.filter(Boolean).length
  const said = one.hits?.length ? `; ${hits === 1 ? '1 hit' : `${hits} hits`}` : ''
  return `${one.label}${one.note ? ` (${one.note})` : ''}: ${one.faces.join(', ')}${said}`
}
