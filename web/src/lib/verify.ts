// Deriving every roll of a save again, in the browser: the same as sandtable/kernel/dice.py.

import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** A die has at most so many sides: each is drawn from a byte. */
const MOST_SIDES = 256

export interface DiceHeader {
  kind: 'verified'
  commitment: string
  secret: string
  entropy: string[]
  game: string
  /** What the players committed to, in the order of their shares; '' for one that was withheld. */
  commitments?: string[]
  /** Earlier dice of a game that went on from a save: those of its first `rolls` rolls. */
  before?: { rolls: number; dice: DiceHeader | { kind: 'seeded' } }[]
}
interface RollEntry {
  roll: number[]
  sides: number
  for: string
}
/** What the browser found about a save. */
export interface Findings {
  game: string
  /** Of which kind the dice are; only `verified` ones can be derived here. */
  kind: string
  commitment: string
  entropy: string[]
  commitments: string[]
  /** Whether every share is the one that its player committed to. */
  sharesFit: boolean
  /** How many players committed to a share and did not show it. */
  withheld: number
  rolls: number
  dice: number
  decisions: number
  /** How often each face of the most common die fell: sides, then counts. */
  faces: { sides: number; counts: number[] } | null
  commitmentFits: boolean
  /** How many rolls the game had already when it went on from a save, with new dice. */
  earlier: number
  /** The first roll that does not follow from the secret. */
  wrong: { number: number; kind: string; recorded: number[]; derived: number[] } | null
}

/** The SHA-256 of secret and game. JSON.stringify gives the bytes that the kernel's encoder gives. */
export function commitmentOf(dice: Pick<DiceHeader, 'secret' | 'game'>): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([dice.secret, dice.game]))))
}

/** What a player publishes of its share before it shows it. */
export const commitmentTo = (share: string): string => bytesToHex(sha256(utf8ToBytes(share)))

/** The faces of roll `number`: bytes of HMAC-SHA256 blocks; those that would favour low faces are
 *  left out. */
export function roll(dice: DiceHeader, number: number, count: number, sides: number): number[] {
  const key = utf8ToBytes(dice.secret)
  const limit = MOST_SIDES - (MOST_SIDES % sides)
  const faces: number[] = []
  for (let block = 0; faces.length < count; block++) {
    const message = JSON.stringify([dice.entropy, dice.game, number, block])
    for (const byte of hmac(sha256, key, utf8ToBytes(message))) {
      if (byte < limit && faces.length < count) faces.push((byte % sides) + 1)
    }
  }
  return faces
}

/** Read a save's text and derive its dice; throws a sentence if it is no save. `progress` is told
 *  the share that is done, and lets the page breathe. */
export async function examine(
  text: string,
  progress: (share: number) => void = () => {},
): Promise<Findings> {
  let save: {
    format?: unknown
    game?: unknown
    dice?: Partial<DiceHeader>
    journal?: unknown
  }
  try {
    save = JSON.parse(text)
  } catch {
    throw new Error('This is not a save: it is cut off, or another kind of file.')
  }
  if (save?.format !== 'sandtable save' || !Array.isArray(save.journal) || !save.dice) {
    throw new Error('This is not a Sandtable save.')
  }
  const entries = save.journal as Record<string, unknown>[]
  const rolls = entries.filter(isRoll)
  const dice = save.dice
  const found: Findings = {
    game: String(save.game),
    kind: String(dice.kind),
    commitment: String(dice.commitment ?? ''),
    entropy: Array.isArray(dice.entropy) ? dice.entropy.map(String) : [],
    commitments: Array.isArray(dice.commitments) ? dice.commitments.map(String) : [],
    sharesFit: true,
    withheld: 0,
    rolls: rolls.length,
    dice: rolls.reduce((sum, entry) => sum + entry.roll.length, 0),
    decisions: entries.length - rolls.length,
    faces: countFaces(rolls),
    commitmentFits: false,
    earlier: 0,
    wrong: null,
  }
  if (dice.kind !== 'verified') return found
  const header = dice as DiceHeader
  if (typeof header.secret !== 'string' || typeof header.game !== 'string') {
    throw new Error('The save’s dice are damaged: their secret is missing.')
  }
  found.commitmentFits = commitmentOf(header) === header.commitment
  if (found.commitments.length) {
    const pairs = found.commitments.map((to, number) => [to, found.entropy[number] ?? ''] as const)
    found.sharesFit =
      found.entropy.length === pairs.length &&
      pairs.every(([to, share]) => !share || commitmentTo(share) === to)
    found.withheld = pairs.filter(([, share]) => !share).length
  }
  found.earlier = header.before?.at(-1)?.rolls ?? 0
  for (const [number, entry] of rolls.entries()) {
    const used = header.before?.find((part) => number < part.rolls)?.dice ?? header
    // Only the server's check derives dice from a seed.
    if (used.kind !== 'verified') continue
    const derived = roll(used, number, entry.roll.length, entry.sides)
    if (derived.join() !== entry.roll.join()) {
      found.wrong = { number: number + 1, kind: entry.for, recorded: entry.roll, derived }
      return found
    }
    if (number % 200 === 199) {
      progress((number + 1) / rolls.length)
      await new Promise((resume) => setTimeout(resume))
    }
  }
  progress(1)
  return found
}

function isRoll(entry: unknown): entry is RollEntry & Record<string, unknown> {
  if (typeof entry !== 'object' || entry === null) return false
  const { roll, sides } = entry as Partial<RollEntry>
  return (
    Array.isArray(roll) &&
    roll.every((face) => Number.isInteger(face)) &&
    Number.isInteger(sides) &&
    sides! >= 2 &&
    sides! <= MOST_SIDES
  )
}

function countFaces(rolls: RollEntry[]): Findings['faces'] {
  const bySides = new Map<number, number[]>()
  for (const { roll, sides } of rolls) {
    const counts = bySides.get(sides) ?? Array<number>(sides).fill(0)
    for (const face of roll) counts[face - 1] = (counts[face - 1] ?? 0) + 1
    bySides.set(sides, counts)
  }
  const total = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0)
  const most = [...bySides].sort((a, b) => total(b[1]) - total(a[1]))[0]
  return most && total(most[1]) > 0 ? { sides: most[0], counts: most[1] } : null
}
