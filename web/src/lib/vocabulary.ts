// The words that games use for what is drawn, from the one file that the kernel, the terminal and the
// pictures of maps read too. See sandtable.kernel.vocabulary.

import file from '../../../src/sandtable/kernel/vocabulary.json'
import type { Theme } from './theme'

export interface Paint {
  fill: string
  ink: string
  land: string
}
export interface Symbol {
  fill?: string
  line?: string
  /** Width of `line`; 1.8 if not given. */
  width?: number
  /** Shown even where there is little room. */
  important?: boolean
  /** As a mark it stands at the pieces of its space, whatever room there is beside its name. */
  badge?: boolean
}
export interface Terrain {
  name: string
  symbol?: string
  /** The tint of land that belongs to nobody. */
  light?: string
  dark?: string
  /** The number of a pattern that lies over its colour. */
  texture?: number
}
/** How a line is drawn, in pixels. */
export interface Stroke {
  name: string
  light: string
  dark: string
  width: number
  dash?: number[]
  /** Strokes across it: how long, how thick, how far apart. */
  ticks?: number[]
  ends?: boolean
  /** Left out where the map is small. */
  fine?: boolean
}
interface Vocabulary {
  colours: Record<string, Record<Theme, Paint> & { terminal: string }>
  symbols: Record<string, Symbol>
  states: Record<string, string>
  tags: Record<string, string>
  terrain: Record<string, Terrain>
  links: Record<string, Stroke>
  borders: Record<string, Stroke>
  routes: Record<string, Stroke>
}

export const WORDS: Vocabulary = file
