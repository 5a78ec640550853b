// The parts of the board that nothing lies over.

import type { Box } from './sheet'

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
const LEAST: Size = { width: 240, height: 120 }

/** The parts of a board beside and below what lies over its upper left corner, beside and above what
 *  lies over its lower right one; all of it where nothing large enough is left. */
export function freeRooms(
  { width, height }: Size,
  upperLeft: Size | null,
  lowerRight: Size | null,
): Room[] {
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
  const rooms = starts.flatMap(([left, top]) =>
    ends.map(([right, bottom]) => ({ left, top, right, bottom })),
  )
  const large = rooms.filter(
    (room) => room.right - room.left >= LEAST.width && room.bottom - room.top >= LEAST.height,
  )
  return large.length ? large : [{ left: 0, top: 0, right: width, bottom: height }]
}

/** How large a part of the sheet can be shown in a room: pixels per unit. */
export function scaleIn(room: Room, [left, top, right, bottom]: Box): number {
  const [wide, high] = [Math.max(1, right - left), Math.max(1, bottom - top)]
  return Math.min((room.right - room.left) / wide, (room.bottom - room.top) / high)
}

/** How high the row of buttons is along the lower edge of a board. */
const BAR = 46

/** Whether a point of the board can be seen, not only just, and nothing lies over it. */
export function inSight(
  [x, y]: [number, number],
  { width, height }: Size,
  upperLeft: Size | null,
  lowerRight: Size | null,
): boolean {
  const [acrossEdge, alongEdge] = [width * 0.04, height * 0.05]
  if (x < acrossEdge || x > width - acrossEdge) return false
  if (y < alongEdge || y > height - Math.max(alongEdge, BAR)) return false
  if (upperLeft && x < upperLeft.width && y < upperLeft.height) return false
  return !(lowerRight && x > width - lowerRight.width && y > height - lowerRight.height)
}
