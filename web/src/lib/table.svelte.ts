// What the request panels and the board say to each other: the panel lights spaces up, the board
// reports what the player points at, clicks and drags.

/** How a space is lit: chosen origin, reachable, reachable with a battle, a legal landing, an
 *  answer that may be clicked, or a place that the log or the guide points at. */
export type Light = 'origin' | 'reach' | 'battle' | 'landing' | 'choice' | 'hint'

export interface Arrow {
  path: string[]
  /** `course`: no arrow but a line that is kept up. */
  kind: 'move' | 'attack' | 'preview' | 'course'
  /** Written on it. */
  label?: string
  /** It is the one that matters now. */
  chosen?: boolean
}

/** A counter on the map, as it looks. */
export interface Chip {
  symbol: string
  power: string
  size: number
  states: string[]
  loaded: boolean
}

/** Room aboard the ship that is being loaded. */
export interface Hold {
  space: string
  holds: number
  aboard: number
}

export class Table {
  lights = $state<Record<string, Light>>({})
  arrows = $state<Arrow[]>([])
  /** What it costs to go to a space. */
  costs = $state<Record<string, number>>({})
  /** Why a space cannot be chosen, or what would happen there: shown when it is pointed at. */
  tips = $state<Record<string, string>>({})
  /** Said about every space without a tip of its own while something is being chosen. */
  elsewhere = $state('')
  hovered = $state<string | null>(null)
  /** The space whose card is open. */
  selected = $state<string | null>(null)
  /** Spaces that the board should bring into view; the board empties it. */
  wanted = $state<string[]>([])
  /** Whether they are what a question offers: see `stays` of the board's camera. */
  offered = false
  /** The size of what lies over the upper left corner of the map. */
  card = $state.raw<{ width: number; height: number } | null>(null)
  /** The size of what lies over the lower right corner of the map. */
  corner = $state.raw<{ width: number; height: number } | null>(null)

  /** The upper end of the panel, where the guide stands while a battle has the map. */
  margin = $state.raw<HTMLElement | null>(null)
  /** Where on the battle stage the question stands that belongs to it; null: it stands in the panel. */
  slot = $state.raw<HTMLElement | null>(null)
  /** Clear battles are fought out for me: none of them waits for me. */
  auto = $state(false)

  /** Opens the battle calculator for a space; null: there is none. */
  whatIf = $state.raw<((space: string) => void) | null>(null)

  /** The places aboard a ship, shown beside it. */
  hold = $state.raw<Hold | null>(null)

  /** Set by the panel that wants to know; null: a click only opens the card of the space. `chip` is
   *  the counter that was clicked, null beside counters and on a `pile` of several kinds. */
  clicked: ((space: string, chip: Chip | null, pile: boolean) => void) | null = null
  /** Whether a stack can be dragged from there: the map is moved instead if not. */
  lifts: ((space: string, chip: Chip | null) => boolean) | null = null
  /** A drag begins: with what the counter shows, or with the whole stack. */
  lift: ((space: string, chip: Chip | null, whole: boolean) => void) | null = null
  /** It ends: in a space, or nowhere. */
  drop: ((to: string | null) => void) | null = null
  /** Opens what else can be done in a space, if there is anything; whether there is. */
  offers: ((space: string) => boolean) | null = null
  /** Counts up when whatever is being picked should be put back. */
  fresh = $state(0)

  show(spaces: string[], offered = false): void {
    this.offered = offered
    this.wanted = spaces
  }

  /** Show where something was: spaces that are lit for a while. */
  point(spaces: string[]): void {
    if (!spaces.length) return
    this.show(spaces)
    const lights = { ...this.lights }
    for (const space of spaces) lights[space] ??= 'hint'
    this.lights = lights
    setTimeout(() => {
      this.lights = Object.fromEntries(
        Object.entries(this.lights).filter(
          ([space, light]) => light !== 'hint' || !spaces.includes(space),
        ),
      )
    }, 3500)
  }

  clear(): void {
    this.lights = {}
    this.arrows = []
    this.costs = {}
    this.tips = {}
    this.elsewhere = ''
    this.hold = null
    this.clicked = null
    this.lifts = null
    this.lift = null
    this.drop = null
  }
}
