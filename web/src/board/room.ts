// The part of the board that nothing lies over.

export interface Size {
  width: number
  height: number
}
export interface Room {
  left: number
  top: number
  right: number
  bottom: number
}

/** Smaller than this shows no place with its neighbours. */
const LEAST: Size = { width: 280, height: 120 }

/** The part of a board beside what lies over its upper left and its lower right corner, or else below
 *  the one and above the other; all of it where nothing large enough is left. */
export function freeRoom(
  { width, height }: Size,
  upperLeft: Size | null,
  lowerRight: Size | null,
): Room {
  const starts: [number, number][] = upperLeft
    ? [
        [upperLeft.width, 0],
        [0, upperLeft.height],
      ]
    : [[0, 0]]
  const ends: [number, number][] = lowerRight
    ? [
        [width - lowerRight.width, height],
        [width, height - lowerRight.height],
      ]
    : [[width, height]]
  for (const [left, top] of starts) {
    for (const [right, bottom] of ends) {
      if (right - left >= LEAST.width && bottom - top >= LEAST.height) {
        return { left, top, right, bottom }
      }
    }
  }
  return { left: 0, top: 0, right: width, bottom: height }
}
