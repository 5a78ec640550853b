// The symbols of pieces and marks: path data in a box of 24 by 24. `fill` is filled (even-odd), `line`
// is stroked with round ends, in the ink of whatever they stand on.

import { WORDS, type Symbol } from '../lib/vocabulary'

/** The symbol of that name; a plain one where there is none. */
export function symbolOf(name: string): Symbol {
  return WORDS.symbols[name] ?? WORDS.symbols.unit!
}
