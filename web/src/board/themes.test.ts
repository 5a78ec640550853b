import { expect, test } from 'vitest'
import { emblems } from '../lib/theme'
import { SYMBOLS } from './symbols'

// Vitest leaves style sheets empty when they are imported.
const files = (await import('node:fs' as string)) as {
  readFileSync(name: string, as: string): string
}
const css = files.readFileSync('src/lib/themes.css', 'utf8')

/** The properties of each theme, later blocks over earlier ones. */
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
  return found
}

function light(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
function contrast(a: string, b: string): number {
  const [x, y] = [light(a), light(b)].sort((p, q) => q - p) as [number, number]
  return (x + 0.05) / (y + 0.05)
}

const WORDS = ['maroon', 'gray', 'tan', 'orange', 'green', 'red', 'blue', 'yellow', 'nobody']

test('there are four themes', () => {
  expect(Object.keys(themes()).sort()).toEqual(['dark', 'dark-safe', 'light', 'light-safe'])
})

test.each(Object.entries(themes()))('text can be read in the theme %s', (_, theme) => {
  const pairs: [string, string][] = [
    ...WORDS.map((word): [string, string] => [`--p-${word}-ink`, `--p-${word}`]),
    ...WORDS.map((word): [string, string] => ['--map-ink', `--p-${word}-land`]),
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

test('every symbol that games name is drawn', () => {
  const names =
    'infantry artillery antiaircraft tank fighter bomber submarine transport destroyer cruiser ' +
    'carrier battleship complex garrison armour marines paratroops fortress lend_lease air_force ' +
    'v_weapon atomic_bomb factory capital city ipc oil resource port_big port_small partisan damage ' +
    'convoy forest jungle swamp mountain snow commander unit die1 die2 die3 die4 die5 die6'
  for (const name of names.split(' ')) {
    const symbol = SYMBOLS[name]
    expect(symbol?.fill || symbol?.line, name).toMatch(/^M[-\d.\sMmLlHhVvQqTtAaCcZz]+$/)
  }
})
