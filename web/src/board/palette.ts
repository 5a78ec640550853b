// The colours of the theme that is shown, as the canvas needs them.

const NAMES = [
  'sea', 'shore', 'snow', 'out', 'sea-line', 'sea-ink', 'coast', 'border', 'closed', 'void', 'hatch',
  'ink', 'halo', 'sign', 'canal', 'land-route', 'air-route', 'reach', 'battle', 'landing', 'choice',
  'hint', 'origin', 'edge',
] as const // prettier-ignore
const WORDS = [
  'maroon',
  'gray',
  'tan',
  'orange',
  'green',
  'red',
  'blue',
  'yellow',
  'nobody',
] as const

export type MapColour = (typeof NAMES)[number]
export interface Paint {
  fill: string
  ink: string
  land: string
}
export interface Palette {
  map: Record<MapColour, string>
  powers: Record<string, Paint>
  focus: string
  panel: string
  /** For the colour-blind: patterns on land, letters on counters. */
  safe: boolean
}

/** The palette of the theme that is shown now. */
export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string) => style.getPropertyValue(name).trim() || '#888888'
  return {
    map: Object.fromEntries(NAMES.map((name) => [name, read(`--map-${name}`)])) as Palette['map'],
    powers: Object.fromEntries(
      WORDS.map((word) => [
        word,
        { fill: read(`--p-${word}`), ink: read(`--p-${word}-ink`), land: read(`--p-${word}-land`) },
      ]),
    ),
    focus: read('--focus'),
    panel: read('--panel'),
    safe: document.documentElement.dataset.theme?.endsWith('-safe') ?? false,
  }
}
