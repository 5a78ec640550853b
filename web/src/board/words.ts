// A space in words: for its card, for screen readers, for the search.

import type { Light } from '../lib/table.svelte'
import { powerOf } from '../lib/theme'
import type { About, Border, Piece, Route, Space, Stack } from '../lib/types'
import { WORDS } from '../lib/vocabulary'

const LIST = new Intl.ListFormat('en-GB')

/** The full name of a space. */
export function nameOf(about: About, id: string, label: string): string {
  return about.names?.[id] ?? label
}

export function powerName(about: About, id: string | undefined): string {
  if (!id) return ''
  return powerOf(about, id)?.name ?? sentence(id.replaceAll('_', ' '))
}

/** What a power has there: "3 infantry, 1 tank (moved)". */
function piecesInWords(stack: Stack): string {
  return stack.pieces.map((piece) => pieceInWords(piece)).join(', ')
}

/** Pieces that look alike; `times` stands between their number and their name. */
export function pieceInWords(piece: Piece, times = ''): string {
  const count = piece.count ?? 1
  const name = piece.size ? `${piece.name} of size ${piece.size}` : piece.name
  const states = (piece.states ?? []).map((state) => WORDS.states[state] ?? state).filter(Boolean)
  const with_ = (piece.cargo ?? []).map((each) => pieceInWords(each, times)).join(' and ')
  return [
    count === 1 && (piece.id || times) ? name : [count, times, name].filter(Boolean).join(' '),
    states.length ? `(${states.join(', ')})` : '',
    with_ ? `with ${with_}` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

const LIGHTS: Record<Light, string> = {
  origin: 'chosen',
  reach: 'can be reached',
  battle: 'can be reached, with a battle',
  landing: 'aircraft can land here',
  choice: 'can be chosen',
  hint: 'pointed out',
}

/** Whose a space is, and who occupies it; nothing where its name says that already. */
export function ownerInWords(about: About, name: string, space: Space | undefined): string {
  const owner = powerName(about, space?.owner)
  const parts = [owner === name ? '' : owner]
  if (space?.holder) parts.push(`held by ${powerName(about, space.holder)}`)
  return parts.filter(Boolean).join(', ')
}

/** What leads through a space and along its borders, a sentence each. `nameOf` names spaces. */
export function linesInWords(
  about: About,
  id: string,
  borders: Border[],
  routes: Route[],
  nameOf: (id: string) => string,
): string[] {
  const told = (kind: string | undefined, { title, owner }: { title?: string; owner?: string }) =>
    title || [kind, owner && `of ${powerName(about, owner)}`].filter(Boolean).join(' ')
  const sides = new Map<string, string[]>()
  for (const border of borders) {
    if (!border.pair.includes(id)) continue
    const other = border.pair[0] === id ? border.pair[1] : border.pair[0]
    const what = told(WORDS.borders[border.kind]?.name, border)
    sides.set(what, [...(sides.get(what) ?? []), nameOf(other)])
  }
  const along = [...sides].map(([what, others]) => `${what}, towards ${LIST.format(others)}.`)
  const through = routes
    .filter(({ path }) => path.includes(id))
    .map((route) => {
      const what = told(WORDS.routes[route.kind]?.name, route)
      return `${[what, route.label, route.state].filter(Boolean).join(', ')}.`
    })
  return [...new Set([...along, ...through])]
}

/** A space in one line: "Berlin, Germany: 3 infantry, 1 tank; can be reached". */
export function spaceInWords(
  about: About,
  name: string,
  space: Space | undefined,
  light?: Light,
): string {
  const owner = ownerInWords(about, name, space)
  const stacks = space?.stacks ?? []
  const units = stacks.map((stack) => {
    const who =
      stack.power === (space?.holder || space?.owner) ? '' : `${powerName(about, stack.power)} `
    return who + piecesInWords(stack)
  })
  const parts = [
    (owner ? `${name}, ${owner}` : name) + (units.length ? `: ${units.join('; ')}` : ''),
    space?.tags?.includes('battle') ? 'battle' : '',
    light ? LIGHTS[light] : '',
  ]
  return parts.filter(Boolean).join('; ')
}

/** What is said of a space, with its name before it if that is not in it already. */
export function saidOf(name: string, text: string): string {
  return text.includes(name) ? text : `${name}: ${text}`
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The name of a view of the map: "south_east_asia" is South-East Asia. */
export function viewName(id: string): string {
  const words = id.split('_').map(sentence).join(' ')
  return words.replace(/^(North|South) (East|West)/, '$1-$2')
}

/** How well a name answers a search; 0 is not at all. Accents and case do not matter. */
export function match(name: string, wanted: string): number {
  const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const [text, part] = [plain(name), plain(wanted).trim()]
  if (!part) return 0
  if (text === part) return 4
  if (text.startsWith(part)) return 3
  if (text.split(/[\s-]+/).some((word) => word.startsWith(part))) return 2
  return text.includes(part) ? 1 : 0
}
