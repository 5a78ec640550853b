// What the camera shows, and when it moves by itself.

import type { Size } from './room'

/** The smallest scale: a sheet that goes round fills the board, another one is seen whole. */
export function leastScale(
  board: Size,
  sheet: { width: number; height: number; wrap: boolean },
): number {
  const [across, along] = [board.width / sheet.width, board.height / sheet.height]
  return sheet.wrap ? Math.max(across, along) : Math.min(across, along)
}

/** Of several views of a part of the sheet the largest; but rather one that is a little smaller than
 *  one that leaves a part of the board empty, beyond the edge of the sheet. */
export function bestView<View extends { k: number }>(
  views: View[],
  full: (view: View) => boolean,
): View {
  const largest = Math.max(...views.map((view) => view.k))
  const large = views.filter((view) => view.k >= 0.9 * largest)
  const filled = large.filter(full)
  return (filled.length ? filled : large).reduce((best, one) => (one.k > best.k ? one : best))
}

/** Below this scale, in pixels per unit of the sheet, counters are hard to tell apart. */
export const LEGIBLE = 0.42

/** So many places are a matter of choice: a player who sees some of them knows of the others. */
const MANY = 4

export interface Sight {
  /** Of each place, whether it can be seen now. */
  seen: boolean[]
  /** Whether a question offers them. Otherwise somebody speaks of them: the guide, a line of the log. */
  offered: boolean
  /** The scale now, the one at which all of them can be seen together, and the smallest that is. */
  scale: number
  together: number
  least: number
}

/** So much smaller, and those who look are torn away from what they were looking at. */
const MUCH = 0.75

/** Whether the camera stays where it is. What is spoken of is shown, all of it, and large enough. What
 *  a question offers is shown too; but where that is many places, or some that are far from each
 *  other, it is enough to see some of them, because nobody wants to be torn away for it. */
export function stays({ seen, offered, scale, together, least }: Sight): boolean {
  const apart = together < Math.min(scale, Math.max(LEGIBLE, MUCH * scale))
  if (offered && (seen.length > MANY || apart)) return seen.includes(true)
  const tiny = scale < Math.min(LEGIBLE, together) && least < LEGIBLE
  return !tiny && !seen.includes(false)
}
