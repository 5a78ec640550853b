// Several people at one screen: nobody there is "you".

import type { GameStore } from './game.svelte'

/** Whether several people sit at this screen. */
export const isShared = (game: GameStore): boolean => (game.info?.you.length ?? 0) > 1

/** Whose turn it is, to be said to those at this screen. */
export const turnOf = (game: GameStore): string =>
  isShared(game) && game.asked ? `${game.name(game.asked)}’s turn` : 'Your turn'

/** The person at this screen to hand over to, because another power's turn has begun; '' if it is
 *  still, or again, for whoever sat here `before`. Who only answers in another's turn, for instance
 *  as a defender, reaches over. */
export function nextPerson(game: GameStore, before: string): string {
  const turn = game.picture?.moment.power
  if (!isShared(game) || !turn || game.picture?.moment.secret || game.asked !== turn) return ''
  const person = game.seatOf(turn)?.player ?? ''
  return person === before ? '' : person
}

const VERBS: Record<string, string> = { have: 'has', are: 'is', do: 'does' }
/** Those that only get an s. */
const REGULAR =
  /^(act|attack|begin|choose|command|contest|control|create|give|land|leave|like|lose|order|return|send|take|want)$/

const verbOf = (verb: string) => VERBS[verb] ?? (REGULAR.test(verb) ? `${verb}s` : verb)

/** A sentence for whoever decides, as it is said to several people: it names the power. */
export function naming(text: string, name: string): string {
  const whose = /s$/.test(name) ? `${name}’` : `${name}’s`
  return text
    .replace(/\byours?\b/gi, whose)
    .replace(/\byou\b(, the \w+,)?( \w+)?/gi, (_, as = '', verb = '') =>
      [name, as, verb && ` ${verbOf(verb.trim())}`].join(''),
    )
}

/** All sentences of what was told: see `naming`. */
export function named<T>(told: T, name: string): T {
  if (typeof told === 'string') return naming(told, name) as T
  if (Array.isArray(told)) return told.map((each) => named(each, name)) as T
  if (told === null || typeof told !== 'object') return told
  const entries = Object.entries(told).map(([key, value]) => [key, named(value, name)])
  return Object.fromEntries(entries) as T
}
