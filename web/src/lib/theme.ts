// Which theme is shown: the player's choice, else what the system prefers. The colours themselves
// are custom properties: those of powers come from the vocabulary, all others from themes.css.

import { keep, recall } from './storage'
import type { About, Power } from './types'
import { WORDS } from './vocabulary'

export type Theme = 'light' | 'dark' | 'light-safe' | 'dark-safe'

export const THEMES: { id: Theme; name: string }[] = [
  { id: 'light', name: 'Light' },
  { id: 'dark', name: 'Dark' },
  { id: 'light-safe', name: 'Light, colour-blind safe' },
  { id: 'dark-safe', name: 'Dark, colour-blind safe' },
]

const KEY = 'sandtable.theme'
const listeners = new Set<() => void>()

/** The player's choice; null: as the system prefers. */
export function chosenTheme(): Theme | null {
  const kept = recall(KEY)
  return THEMES.find((each) => each.id === kept)?.id ?? null
}

/** The theme to show now. */
export function currentTheme(): Theme {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  return chosenTheme() ?? (dark ? 'dark' : 'light')
}

/** Choose a theme and remember it; null goes back to what the system prefers. */
export function chooseTheme(theme: Theme | null): void {
  keep(KEY, theme ?? '')
  show(theme ?? currentTheme())
}

/** Show the theme; call it once, before anything is drawn. */
export function startTheme(): void {
  show(currentTheme())
  const prefers = matchMedia('(prefers-color-scheme: dark)')
  prefers.addEventListener('change', () => show(currentTheme()))
}

/** Be told when the theme changes; the answer ends it. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function show(theme: Theme): void {
  const page = document.documentElement
  page.dataset.theme = theme
  for (const [word, colour] of Object.entries(WORDS.colours)) {
    const { fill, ink, land } = colour[theme]
    page.style.setProperty(`--p-${word}`, fill)
    page.style.setProperty(`--p-${word}-ink`, ink)
    page.style.setProperty(`--p-${word}-land`, land)
  }
  for (const listener of listeners) listener()
}

/** Whether the theme that is shown is one for the colour-blind: letters and patterns are added. */
export function isSafe(): boolean {
  return document.documentElement.dataset.theme?.endsWith('-safe') ?? false
}

/** Every power of a game: those that play, and those that nobody plays. */
function everyPower(about: About | null | undefined): Power[] {
  return [...(about?.powers ?? []), ...(about?.others ?? [])]
}

export function powerOf(
  about: About | null | undefined,
  id: string | undefined,
): Power | undefined {
  return everyPower(about).find((power) => power.id === id)
}

/** The colour word of a power, as the vocabulary has it; nobody's where the power is none of the game. */
export function colourOf(about: About | null | undefined, power: string | undefined): string {
  const word = powerOf(about, power)?.colour ?? ''
  return word in WORDS.colours ? word : 'nobody'
}

/** The custom properties of a power's colour, for `style:`. */
export function powerVars(
  about: About | null | undefined,
  power: string | undefined,
): { fill: string; ink: string; land: string } {
  const name = `--p-${colourOf(about, power)}`
  return { fill: `var(${name})`, ink: `var(${name}-ink)`, land: `var(${name}-land)` }
}

/** A few letters for each power, no two alike, for those who cannot go by the colour: its initials,
 *  or where others have them too, as much of its short name as it takes. */
export function emblems(about: About): Record<string, string> {
  const powers = everyPower(about)
  const initials = powers.map((power) =>
    power.name
      .split(/[\s-]+/)
      .map((word) => word.charAt(0).toUpperCase())
      .join(''),
  )
  const words = powers.map((power) => (power.short || power.name).toUpperCase())
  const found: Record<string, string> = {}
  powers.forEach((power, i) => {
    const clashes = (text: string, all: string[]) =>
      all.some((other, j) => j !== i && other.startsWith(text))
    const word = words[i]!
    let length = 1
    while (length < word.length && clashes(word.slice(0, length), words)) length++
    found[power.id] =
      initials.indexOf(initials[i]!) === initials.lastIndexOf(initials[i]!)
        ? initials[i]!
        : word.slice(0, length)
  })
  return found
}

export { reducedMotion } from './motion'
