import { describe, expect, it } from 'vitest'
import type { Line } from '../lib/types'
import { chapters } from './log'

const line = (text: string, level?: number, power = ''): Line => ({
  kind: 'x',
  text,
  power,
  ...(level === undefined ? {} : { level }),
})
const log = [
  line('Set up.'),
  line('Round 1', 0),
  line('Germany buys', 1),
  line('Two tanks.', 2, 'germany'),
  line('Germany attacks', 1),
  line('Round 2', 0),
  line('Japan buys', 1),
  line('A ship.', 2, 'japan'),
]
const outline = (wanted: ((line: Line) => boolean) | null) =>
  chapters(log, wanted).map((chapter) => [
    chapter.title?.line.text ?? '',
    chapter.phases.map((phase) => [
      phase.title?.line.text ?? '',
      phase.entries.map((entry) => entry.line.text),
    ]),
  ])

describe('the log', () => {
  it('stands in chapters and phases, with what came before the first', () => {
    expect(outline(null)).toEqual([
      ['', [['', ['Set up.']]]],
      [
        'Round 1',
        [
          ['Germany buys', ['Two tanks.']],
          ['Germany attacks', []],
        ],
      ],
      ['Round 2', [['Japan buys', ['A ship.']]]],
    ])
  })

  it('drops headings without a line when it is filtered', () => {
    expect(outline((one) => one.power === 'japan')).toEqual([
      ['Round 2', [['Japan buys', ['A ship.']]]],
    ])
  })

  it('keeps a heading with dice where it is looked for', () => {
    const throws = [{ label: 'Attack', faces: [4] }]
    const attack = { ...line('Germany attacks Paris', 1, 'germany'), throws }
    const [chapter, ...others] = chapters([attack, line('Lost: 1.')], (one) => !!one.throws)
    expect(others).toEqual([])
    expect(chapter!.phases.map(({ title, entries }) => [title!.line, entries])).toEqual([
      [attack, []],
    ])
  })

  it('knows the place of each line', () => {
    expect(chapters(log, null)[1]!.phases[0]!.entries[0]!.number).toBe(3)
  })
})
