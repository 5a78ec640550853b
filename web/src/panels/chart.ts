// Figures over time as lines: scales, paths and round numbers for the axis.

import { scaleLinear } from 'd3-scale'
import { curveStepAfter, line } from 'd3-shape'
import type { History } from '../lib/types'

export interface Curve {
  power: string
  path: string
  last: number
  x: number
  y: number
}
export interface Plot {
  curves: Curve[]
  ticks: { y: number; text: string }[]
  turns: { x: number; text: string }[]
}

/** The samples of a figure as lines in a box of this size, the origin at the top left. */
export function plot(
  figures: History['figures'],
  figure: string,
  powers: string[],
  width: number,
  height: number,
): Plot {
  const value = (index: number, power: string) => figures[index]!.values[figure]?.[power]
  const all = figures.flatMap((_, i) => powers.map((power) => value(i, power) ?? 0))
  const x = scaleLinear([0, Math.max(1, figures.length - 1)], [0, width])
  const y = scaleLinear([Math.min(0, ...all), Math.max(1, ...all)], [height, 0]).nice(4)
  const draw = line<[number, number]>(
    (point) => x(point[0]),
    (point) => y(point[1]),
  ).curve(curveStepAfter)

  const curves = powers.flatMap((power) => {
    const points = figures.flatMap((_, i): [number, number][] => {
      const found = value(i, power)
      return found === undefined ? [] : [[i, found]]
    })
    const last = points.at(-1)
    if (!last) return []
    return [{ power, path: draw(points) ?? '', last: last[1], x: x(last[0]), y: y(last[1]) }]
  })
  // Names at the ends of the lines must not cover each other.
  const byHeight = [...curves].sort((a, b) => a.y - b.y)
  for (let i = 1; i < byHeight.length; i++) {
    byHeight[i]!.y = Math.max(byHeight[i]!.y, byHeight[i - 1]!.y + 13)
  }
  const over = (byHeight.at(-1)?.y ?? 0) - height
  if (over > 0) for (const curve of byHeight) curve.y -= over

  const turns = figures.flatMap((sample, i) =>
    i === 0 || sample.title !== figures[i - 1]!.title ? [{ x: x(i), text: sample.title }] : [],
  )
  const room = Math.ceil((turns.length * 44) / Math.max(width, 1))
  return {
    curves,
    ticks: y.ticks(4).map((tick) => ({ y: y(tick), text: String(tick) })),
    turns: turns.filter((_, i) => i % Math.max(1, room) === 0),
  }
}

/** The last sample of each turn, for the table. */
export function byTurn(figures: History['figures']): History['figures'] {
  return figures.filter((sample, i) => sample.title !== figures[i + 1]?.title)
}
