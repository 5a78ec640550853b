// What battles have cost: by the difference between two pictures, whatever the game.

import type { Picture, Piece } from '../lib/types'

export interface Toll {
  /** Power to the pieces that it has lost. */
  lost: Record<string, Piece[]>
  /** The spaces that have changed hands. */
  taken: string[]
}

/** The pieces of each power, cargo included: by power, then by symbol and name. */
function counted(picture: Picture): Map<string, Map<string, Piece>> {
  const found = new Map<string, Map<string, Piece>>()
  const add = (piece: Piece, owner: string, times: number) => {
    const power = piece.power || owner
    const kinds = found.get(power) ?? new Map<string, Piece>()
    found.set(power, kinds)
    const key = `${piece.symbol} ${piece.name}`
    const number = times * (piece.count ?? 1)
    const before = kinds.get(key)?.count ?? 0
    kinds.set(key, { symbol: piece.symbol, name: piece.name, count: before + number })
    for (const one of piece.cargo ?? []) add(one, power, number)
  }
  for (const space of Object.values(picture.spaces)) {
    for (const stack of space.stacks ?? []) {
      for (const piece of stack.pieces) add(piece, stack.power, 1)
    }
  }
  return found
}

/** What is gone in `after` that was there in `before`. */
export function toll(before: Picture, after: Picture): Toll {
  const left = counted(after)
  const lost: Toll['lost'] = {}
  for (const [power, kinds] of counted(before)) {
    for (const [key, piece] of kinds) {
      const gone = (piece.count ?? 1) - (left.get(power)?.get(key)?.count ?? 0)
      if (gone > 0) (lost[power] ??= []).push({ ...piece, count: gone })
    }
  }
  const taken = Object.keys(before.spaces).filter(
    (id) => before.spaces[id]?.owner !== after.spaces[id]?.owner,
  )
  return { lost, taken }
}
