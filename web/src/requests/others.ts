// What stands in a space beside what can be picked there.

import type { Piece, Row, Space } from '../lib/types'

/** The pieces of a space that no row stands for: unique ones by their id, others by their kind. */
export function others(
  space: Space | undefined,
  rows: readonly Row[],
): { piece: Piece; power: string }[] {
  const keys = new Set(rows.map((row) => row.key))
  const kinds = new Set(rows.map((row) => `${row.symbol} ${row.power ?? ''}`))
  return (space?.stacks ?? []).flatMap((stack) =>
    stack.pieces
      .map((piece) => ({ piece, power: piece.power || stack.power }))
      .filter(({ piece, power }) =>
        piece.id ? !keys.has(piece.id) : !kinds.has(`${piece.symbol} ${power}`),
      ),
  )
}
