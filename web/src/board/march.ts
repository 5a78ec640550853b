/** The point at a part (0 to 1) of a way through points. */
export function along(points: [number, number][], part: number): [number, number] | null {
  const last = points[points.length - 1]
  if (!last) return null
  const lengths = points
    .slice(1)
    .map(([x, y], i) => Math.hypot(x - points[i]![0], y - points[i]![1]))
  let left = part * lengths.reduce((sum, one) => sum + one, 0)
  for (const [i, length] of lengths.entries()) {
    if (left <= length && length > 0) {
      const [[x0, y0], [x1, y1]] = [points[i]!, points[i + 1]!]
      return [x0 + ((x1 - x0) * left) / length, y0 + ((y1 - y0) * left) / length]
    }
    left -= length
  }
  return last
}
