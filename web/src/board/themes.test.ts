import { expect, test } from 'vitest'
import aa1942 from '../../../src/sandtable/games/aa1942/data/map.yaml?raw'
import blitz from '../../../src/sandtable/games/blitz/data/map.yaml?raw'
import { emblems, THEMES } from '../lib/theme'
import { WORDS } from '../lib/vocabulary'

// Vitest leaves style sheets empty when they are imported.
const files = (await import('node:fs' as string)) as {
  readFileSync(name: string, as: string): string
}
const css = files.readFileSync('src/lib/themes.css', 'utf8')

/** The properties of each theme, later blocks over earlier ones, and the colours of powers. */
function themes(): Record<string, Record<string, string>> {
  const found: Record<string, Record<string, string>> = {}
  for (const [, selectors, body] of css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    for (const [, theme] of selectors!.matchAll(/data-theme='([\w-]+)'/g)) {
      const into = (found[theme!] ??= {})
      for (const [, name, value] of body!.matchAll(/(--[\w-]+):\s*([^;]+);/g))
        into[name!] = value!.trim()
    }
  }
  for (const { id } of THEMES) {
    for (const [word, colour] of Object.entries(WORDS.colours)) {
      const { fill, ink, land } = colour[id]
      Object.assign(found[id]!, {
        [`--p-${word}`]: fill,
        [`--p-${word}-ink`]: ink,
        [`--p-${word}-land`]: land,
      })
    }
  }
  return found
}

function linear(colour: string): [number, number, number] {
  return [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
}
function light(colour: string): number {
  const [r, g, b] = linear(colour)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
function contrast(a: string, b: string): number {
  const [x, y] = [light(a), light(b)].sort((p, q) => q - p) as [number, number]
  return (x + 0.05) / (y + 0.05)
}

/** The colours of powers, and nobody's. */
const COLOURS = Object.keys(WORDS.colours)

test('there are four themes', () => {
  expect(Object.keys(themes()).sort()).toEqual(['dark', 'dark-safe', 'light', 'light-safe'])
})

test.each(Object.entries(themes()))('text can be read in the theme %s', (_, theme) => {
  const pairs: [string, string][] = [
    ...COLOURS.map((word): [string, string] => [`--p-${word}-ink`, `--p-${word}`]),
    ...COLOURS.map((word): [string, string] => ['--map-ink', `--p-${word}-land`]),
    ...['accent', 'good', 'bad', 'warn', 'info'].flatMap((name): [string, string][] => [
      [`--${name}-ink`, `--${name}`],
      [`--${name}`, '--panel'],
      ['--ink', `--${name}-soft`],
    ]),
    ...['--panel', '--bg', '--sunken', '--hover', '--selected'].map((on): [string, string] => [
      '--ink',
      on,
    ]),
    ...['--panel', '--bg', '--sunken'].map((on): [string, string] => ['--muted', on]),
    ['--link', '--panel'],
    ['--map-sea-ink', '--map-sea'],
  ]
  for (const [text, ground] of pairs) {
    const ratio = contrast(theme[text]!, theme[ground]!)
    expect(ratio, `${text} on ${ground}: ${ratio.toFixed(2)}`).toBeGreaterThanOrEqual(4.5)
  }
})

// --- colours that can be told apart ---------------------------------------------------------------

/** How those see who lack one kind of cone: linear red, green and blue (Machado et al., 2009). */
const VISIONS: Record<string, number[][]> = {
  usual: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
} // prettier-ignore

type Three = [number, number, number]
const times = (rows: number[][], [x, y, z]: Three) =>
  rows.map(([a, b, c]) => a! * x + b! * y + c! * z) as Three

/** A colour as an eye of that kind sees it, in Oklab, where distances are alike everywhere. */
function seen(colour: string, vision: string): Three {
  const cones = times(
    [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]],
    times(VISIONS[vision]!, linear(colour)),
  ).map((each) => Math.cbrt(Math.max(0, each))) as Three // prettier-ignore
  return times(
    [[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]],
    cones,
  ) // prettier-ignore
}
function apart(a: string, b: string, vision: string): number {
  const [p, q] = [seen(a, vision), seen(b, vision)]
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
}

/** The colour words of a game's powers. */
const coloursOf = (data: string) => [
  ...new Set([...data.matchAll(/colour: (\w+)/g)].map(([, word]) => word!)),
]
const games = { aa1942: coloursOf(aa1942), blitz: coloursOf(blitz) }

/** Fail unless any two of some colours are so far apart for each of some eyes. */
function checkApart(
  theme: Record<string, string>,
  words: string[],
  visions: string[],
  least: { counters: number; land: number },
) {
  for (const vision of visions) {
    for (const [i, one] of words.entries()) {
      for (const other of words.slice(i + 1)) {
        const counters = apart(theme[`--p-${one}`]!, theme[`--p-${other}`]!, vision)
        const land = apart(theme[`--p-${one}-land`]!, theme[`--p-${other}-land`]!, vision)
        const what = `${one} and ${other}, ${vision}`
        expect(counters, `counters: ${what}`).toBeGreaterThanOrEqual(least.counters)
        expect(land, `land: ${what}`).toBeGreaterThanOrEqual(least.land)
      }
    }
  }
}

// Whoever cannot rely on hues has the safe themes; there every eye has to do.
test.each(Object.entries(themes()))('powers can be told apart in the theme %s', (name, theme) => {
  const safe = name.endsWith('-safe')
  const visions = safe ? Object.keys(VISIONS) : ['usual']
  for (const words of Object.values(games)) {
    expect(words.length).toBeGreaterThanOrEqual(5)
    checkApart(theme, words, visions, safe ? { counters: 0.12, land: 0.07 } : { counters: 0.09, land: 0.06 }) // prettier-ignore
  }
})

test.each(Object.entries(themes()))('sixteen colours stay apart in the theme %s', (name, theme) => {
  const safe = name.endsWith('-safe')
  const words = COLOURS.filter((word) => word !== 'nobody')
  expect(words.length).toBeGreaterThanOrEqual(16)
  checkApart(theme, words, safe ? Object.keys(VISIONS) : ['usual'], safe ? { counters: 0.065, land: 0.043 } : { counters: 0.09, land: 0.058 }) // prettier-ignore
})

test('the colours of powers can be read on a dark and on a light terminal', () => {
  const words = COLOURS.filter((word) => word !== 'nobody')
  const tones = words.map((word) => WORDS.colours[word]!.terminal)
  for (const [i, tone] of tones.entries()) {
    expect(contrast(tone, '#000000'), tone).toBeGreaterThanOrEqual(2.6)
    expect(contrast(tone, '#ffffff'), tone).toBeGreaterThanOrEqual(2.6)
    for (const other of tones.slice(i + 1))
      expect(apart(tone, other, 'usual')).toBeGreaterThan(0.06)
  }
})

test('every power has letters of its own', () => {
  const about = (names: [string, string][]) => ({
    game: '',
    title: '',
    subtitle: '',
    powers: names.map(([name, short]) => ({
      id: name,
      name,
      short,
      colour: '',
      side: '',
      side_name: '',
    })),
  })
  expect(
    emblems(
      about([
        ['Soviet Union', 'USSR'],
        ['Germany', 'Germany'],
        ['United Kingdom', 'UK'],
        ['United States', 'USA'],
      ]),
    ),
  ).toEqual({ 'Soviet Union': 'SU', Germany: 'G', 'United Kingdom': 'UK', 'United States': 'US' })
  const letters = Object.values(emblems(about([['USSR', 'USSR'], ['USA', 'USA'], ['Japan', 'Japan']]))) // prettier-ignore
  expect(new Set(letters).size).toBe(3)
})

test('every symbol is drawn, and every terrain has one that there is', () => {
  for (const [name, { fill = '', line = '' }] of Object.entries(WORDS.symbols)) {
    expect(fill || line, name).not.toBe('')
    for (const path of [fill, line]) expect(path, name).toMatch(/^(M[-\d.\sMmLlHhVvQqTtAaCcZz]+)?$/)
  }
  for (const { symbol } of Object.values(WORDS.terrain)) {
    if (symbol) expect(WORDS.symbols).toHaveProperty(symbol)
  }
})
