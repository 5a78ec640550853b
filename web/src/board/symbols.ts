// The symbols of pieces and marks: path data in a box of 24 by 24, drawn by us. `fill` is filled
// (even-odd), `line` is stroked with round ends, in the ink of whatever they stand on.

export interface Symbol {
  fill?: string
  line?: string
  /** Width of `line`; 1.8 if not given. */
  width?: number
}

const hull = (bow: number, deck: number) =>
  `M1 ${deck}H${bow}L${bow - 2.6} 19.2Q${bow - 3.2} 20 ${bow - 4.4} 20H4.4Q3.2 20 2.7 19Z`

const tank =
  'M8.2 6.2H14.4Q15.4 6.2 15.7 7.2L15.9 8H23V9.9H16.2L16.4 11H20.2Q22.8 11 22.8 14.2' +
  'Q22.8 18.8 18.6 18.8H5.4Q1.2 18.8 1.2 14.2Q1.2 11 3.8 11H6.1L7 7.1Q7.2 6.2 8.2 6.2Z' +
  'M6 13.1A1.75 1.75 0 1 0 6 16.6A1.75 1.75 0 1 0 6 13.1Z' +
  'M12 13.1A1.75 1.75 0 1 0 12 16.6A1.75 1.75 0 1 0 12 13.1Z' +
  'M18 13.1A1.75 1.75 0 1 0 18 16.6A1.75 1.75 0 1 0 18 13.1Z'

const fighter =
  'M12 1.4Q13.5 2.6 13.6 6.4L13.7 8.8L22.6 12V14.6L13.6 13.6L13.2 18.4L16.6 20.6V22.4L12 21.4' +
  'L7.4 22.4V20.6L10.8 18.4L10.4 13.6L1.4 14.6V12L10.3 8.8L10.4 6.4Q10.5 2.6 12 1.4Z'

const soldier =
  'M9.6 1.6Q13.6 1.6 13.9 5.6H5.4Q5.7 1.6 9.6 1.6Z' +
  'M6.7 6.6H12.7V7.4Q12.5 9.6 9.7 9.6Q6.9 9.6 6.7 7.4Z' +
  'M7 10.6H12.6Q15 10.7 15.6 12.8L16.4 15.4L14.8 16.2L15.2 22.6H11L10 17.8L8.8 22.6H4.6L5.2 15.6' +
  'Q4 14.9 4.2 13.4Q4.5 10.8 7 10.6Z'

const star =
  'M12 1.8L14.7 8.9L22.3 9.3L16.4 14.1L18.4 21.4L12 17.3L5.6 21.4L7.6 14.1L1.7 9.3L9.3 8.9Z'

const factory =
  'M2 21.5V11.4L8 7.6V11.4L14 7.6V11.4L15.4 10.5L16 2.5H20L21.2 11.5L22 21.5Z' +
  'M5 14.5H8V17.2H5ZM10.4 14.5H13.4V17.2H10.4ZM15.8 14.5H18.8V17.2H15.8Z'

const die = (dots: [number, number][]): Symbol => ({
  fill:
    'M5.5 2H18.5Q22 2 22 5.5V18.5Q22 22 18.5 22H5.5Q2 22 2 18.5V5.5Q2 2 5.5 2Z' +
    dots.map(([x, y]) => `M${x - 2} ${y}a2 2 0 1 0 4 0a2 2 0 1 0 -4 0Z`).join(''),
})
const [W, C, E] = [7, 12, 17]

export const SYMBOLS: Record<string, Symbol> = {
  // Land units
  infantry: { fill: soldier, line: 'M14.4 14.8L20.8 3.4M19 9.2L21 10.4', width: 1.6 },
  artillery: {
    fill:
      'M2.6 8.6L4.4 6.2L11.6 10.1L22.6 6.2L23.2 8.3L14.4 12.6Q15.6 14.3 15.3 16.4A5 5 0 1 1 6.6 12.6L6.2 12.2Z' +
      'M10.6 13.4A2.3 2.3 0 1 0 10.6 18A2.3 2.3 0 1 0 10.6 13.4Z',
    line: 'M6.6 17.6L1.6 20.8',
  },
  antiaircraft: {
    fill: 'M3 21.6V19.4L9.4 17L10.4 13.4L8.6 11.8L19.6 1.4L21.6 3.4L13.9 13.6L14.8 17L21 19.4V21.6Z',
    line: 'M4.6 9.2L11.4 3M2.6 14L6.4 10.6',
    width: 1.4,
  },
  tank: { fill: tank },
  armour: { fill: tank },
  garrison: {
    // A helmet behind sandbags.
    fill:
      'M12 1.6Q17.6 1.6 18 7.6H6Q6.4 1.6 12 1.6ZM7.6 8.8H16.4V11.4H7.6Z' +
      'M1.4 12.6H11.2V16.6H1.4ZM12.8 12.6H22.6V16.6H12.8Z' +
      'M1.4 18.2H6.4V22.2H1.4ZM8 18.2H16V22.2H8ZM17.6 18.2H22.6V22.2H17.6Z',
  },
  marines: {
    line: 'M12 7.2V21M12 21Q5 20.4 3 13.6L2.4 16.8M3 13.6L6 15M12 21Q19 20.4 21 13.6L21.6 16.8M21 13.6L18 15M7.6 10.2H16.4M12 7.2A2.6 2.6 0 1 0 12 2A2.6 2.6 0 1 0 12 7.2',
    width: 2.2,
  },
  paratroops: {
    fill: 'M12 1.8Q21.4 2 22.4 11Q20.6 9 18.4 9.2Q16.6 9.4 15.4 11Q14 9.2 12 9.2Q10 9.2 8.6 11Q7.4 9.4 5.6 9.2Q3.4 9 1.6 11Q2.6 2 12 1.8ZM10.4 17.4H13.6V22.4H10.4Z',
    line: 'M2.2 11L11.2 17.4M8.6 11L11.6 16.6M15.4 11L12.4 16.6M21.8 11L12.8 17.4',
    width: 1.2,
  },
  fortress: {
    fill:
      'M2 21.8V8.2L3.4 6.6V2.6H6.4V4.8H8.4V2.6H11V4.8H13V2.6H15.6V4.8H17.6V2.6H20.6V6.6L22 8.2V21.8H15V17A3 3 0 0 0 9 17V21.8Z' +
      'M6.2 9.4H8.2V13H6.2ZM15.8 9.4H17.8V13H15.8Z',
  },
  commander: {
    fill:
      'M12 1.6L20.6 5.4Q22 6.2 21.4 7.8L19.6 10.4H4.4L2.6 7.8Q2 6.2 3.4 5.4Z' +
      'M4.6 11.6H19.4L18.8 13.8Q12 11.6 5.2 13.8Z' +
      'M6.8 14.6Q12 13 17.2 14.6Q16.8 22.6 12 22.6Q7.2 22.6 6.8 14.6Z' +
      'M12 4L12.8 5.8L14.7 6L13.3 7.2L13.7 9.1L12 8.1L10.3 9.1L10.7 7.2L9.3 6L11.2 5.8Z',
  },
  partisan: {
    fill:
      'M4.2 8.4Q5 3 11 2.6Q16.6 2.4 18.4 6.6L20.4 7.2Q20.6 8.8 18.8 9H4.2Z' +
      'M6.4 10.2H17.2Q17 15.8 11.8 16Q6.6 15.8 6.4 10.2Z' +
      'M6.6 15.6Q11.8 18.8 17 15.6L21 18.6V22.2H2.6V18.6Z',
  },

  // Aircraft
  fighter: { fill: fighter },
  air_force: { fill: fighter },
  bomber: {
    fill:
      'M12 1Q13.4 2 13.5 5V8L16 8.3V6.4Q16.7 5.6 17.4 6.4V8.5L20 8.9V7.3Q20.6 6.6 21.2 7.3V9.1L23.4 9.5V11.9L13.5 12.4L13.2 18.4L17.4 20.2V22L12 21.4' +
      'L6.6 22V20.2L10.8 18.4L10.5 12.4L0.6 11.9V9.5L2.8 9.1V7.3Q3.4 6.6 4 7.3V8.9L6.6 8.5V6.4Q7.3 5.6 8 6.4V8.3L10.5 8V5Q10.6 2 12 1Z',
  },
  v_weapon: {
    fill: 'M19.6 1.6Q23 1 22.4 4.4L12.6 16.6L13.8 20.4L12 22.2L9.6 18L7.2 19.2L4.8 16.8L6 14.4L1.8 12L3.6 10.2L7.4 11.4Z',
    line: 'M5.4 18.6L2.6 21.4',
  },
  atomic_bomb: {
    fill: 'M12 9.6A2.4 2.4 0 1 0 12 14.4A2.4 2.4 0 1 0 12 9.6Z',
    line: 'M12 1.6A4.2 10.4 0 1 0 12 22.4A4.2 10.4 0 1 0 12 1.6ZM3 6.8A10.4 4.2 30 1 0 21 17.2A10.4 4.2 30 1 0 3 6.8ZM21 6.8A10.4 4.2 -30 1 0 3 17.2A10.4 4.2 -30 1 0 21 6.8Z',
    width: 1.5,
  },

  // Ships, bow to the right
  submarine: {
    fill: 'M9.6 9V6.4H11.2V4H12.8V6.4H15V9.6H20Q23 10.6 23.4 13Q22.4 17 16 17H5.4Q2.6 16.6 0.8 12.2Q2.2 9.6 6 9.4Z',
    line: 'M1.4 20.4Q4.4 18.8 7.2 20.4T13 20.4T18.8 20.4T23 20',
    width: 1.4,
  },
  transport: {
    fill:
      hull(23.4, 13.4) +
      'M2.6 12.4V6.4H6.8V12.4ZM3.6 5.4V2.6H5.8V5.4ZM8.4 12.4V9H12V12.4ZM13.4 12.4V9H17V12.4Z',
    line: 'M18.6 12.2V5.4M10.2 8.6V4.6',
    width: 1.3,
  },
  destroyer: {
    fill: 'M0.8 14.6H23.6L20.4 19Q19.8 19.6 18.8 19.6H4Q2.6 19.6 2 18.4ZM8 13.6L8.6 9.4H10.6V5H12V9.4H13.4L14.2 13.6ZM16 13.6V11.2H18V11.6H22V12.8H19.4V13.6Z',
    line: 'M5.2 13.4V11M11.3 5V2.6',
    width: 1.4,
  },
  cruiser: {
    // Two funnels, a turret at each end.
    fill:
      'M0.6 14.8H23.6L21.2 19.2Q20.7 20 19.6 20H3.8Q2.8 20 2.4 19.2Z' +
      'M7.8 13.8V10.2H9L9.8 5H12.2L11.8 10.2H13L13.8 6.4H16L15.6 10.2H16.4V13.8Z' +
      'M17.6 13.8V11.2H20V11.5H23.6V12.9H20.4V13.8ZM6.6 13.8V11.2H4.2V11.5H0.6V12.9H3.8V13.8Z',
  },
  battleship: {
    // A tower between four turrets, two above the others.
    fill:
      'M0.2 14.2H23.8L21.6 20.2Q21.2 21.2 19.8 21.2H4.2Q2.8 21.2 2.2 20.2Z' +
      'M9.4 13.2V7.4H10.2V3H11.2V0.6H12.8V3H13.8V7.4H14.6V13.2Z' +
      'M15.8 13.2V10.6H19.6V10.9H23.8V12.5H19.9V13.2ZM15.8 9.6V6.8H18.4V7.1H22.4V8.6H18.6V9.6Z' +
      'M8.2 13.2V10.6H4.4V10.9H0.2V12.5H4.1V13.2ZM8.2 9.6V6.8H5.6V7.1H1.6V8.6H5.4V9.6Z',
  },
  carrier: {
    // A flat deck over everything, the island on it, an aircraft taking off.
    fill:
      'M0.2 13H23.8V15.4H21.4L19.6 19.4Q19.2 20.2 18.2 20.2H6Q5 20.2 4.6 19.4L2.8 15.4H0.2Z' +
      'M15.2 12V8H16.8V4.4H18.4V8H20.4V12Z' +
      'M1.2 5.4H2.6L3.8 7.4H6.2L4.6 4.2H6.4L9.4 7.4H12Q13.4 7.6 13.6 8.6Q13.4 9.4 12 9.4H3.2Z',
  },
  convoy: {
    fill: 'M0.8 13.6H13L11.4 17H2.6ZM3 12.6V9.4H6V12.6ZM11.6 18.6H23.6L22 22H13.4ZM14 17.6V14.6H17V17.6ZM9.6 7.2H20.4L19 10.4H11.2ZM12 6.2V3.4H14.6V6.2Z',
  },

  // Things
  complex: { fill: factory },
  factory: { fill: factory },
  lend_lease: {
    fill: 'M2 6.8L12 2.4L22 6.8V17.4L12 21.8L2 17.4ZM4.2 8.9V16L10.9 19V11.8ZM13.1 11.8V19L19.8 16V8.9ZM12 4.8L5.6 7.6L12 10.3L18.4 7.6Z',
  },
  oil: {
    line: 'M3 21.4H21M7 21L11 4.4H13L17 21M8.4 15.4H15.6M9.8 10H14.2M8.4 15.4L14.2 10M15.6 15.4L9.8 10M12 4.4V1.8',
    width: 1.7,
  },
  resource: {
    fill: 'M5.4 6H18.6L23 13.8L19 20.4H5L1 13.8Z',
    line: '',
  },
  port_big: {
    line: 'M12 8V21.4M12 21.4Q4.6 20.6 2.8 13.4M12 21.4Q19.4 20.6 21.2 13.4M6.4 11.6H17.6M12 8A2.9 2.9 0 1 0 12 2.2A2.9 2.9 0 1 0 12 8',
    width: 2.8,
  },
  port_small: {
    line: 'M12 8.6V19.4M12 19.4Q6.6 18.8 5.2 13.6M12 19.4Q17.4 18.8 18.8 13.6M8.4 11.6H15.6M12 8.6A2.1 2.1 0 1 0 12 4.4A2.1 2.1 0 1 0 12 8.6',
    width: 1.8,
  },
  capital: {
    fill: 'M12 0.8A11.2 11.2 0 1 0 12 23.2A11.2 11.2 0 1 0 12 0.8ZM12 4.2L14.1 9.7L20 10L15.4 13.7L16.9 19.4L12 16.2L7.1 19.4L8.6 13.7L4 10L9.9 9.7Z',
  },
  city: { fill: star },
  ipc: { fill: 'M12 2A10 10 0 1 0 12 22A10 10 0 1 0 12 2ZM12 4A8 8 0 1 1 12 20A8 8 0 1 1 12 4Z' },
  damage: {
    fill: 'M12 0.8L14.4 6.6L19.6 3.4L18.4 9.4L23.6 11.4L18.8 14.4L20.8 20L15 18L12.6 23.2L9.8 18.4L3.8 20.6L5.4 14.6L0.4 12L5.4 9L4 3.6L9.6 6.4Z',
  },
  flag: { fill: 'M5 1.4H7.4V2.8H21.4L17.6 7.8L21.4 12.8H7.4V22.6H5Z' },

  // Terrain and weather
  mountain: { fill: 'M0.8 20.4L8.6 5.2L12.2 12L14.6 8.2L23.2 20.4Z' },
  forest: { fill: 'M12 1.4L18.2 9.4H15.4L20.6 16.6H13.4V22H10.6V16.6H3.4L8.6 9.4H5.8Z' },
  jungle: {
    line: 'M12.6 22Q11 15 12.2 8.4M12.2 8.4Q6.6 5.4 2.4 10.6M12.2 8.4Q17.8 5.4 21.8 10.6M12.2 8.4Q9.4 2.4 4.8 3.6M12.2 8.4Q15 2.4 19.4 3.6',
    width: 2.2,
  },
  swamp: {
    line: 'M1.6 17H22.4M5 21H19M12 16.6V4.4M7 16.6L5.6 8M17 16.6L18.4 8M9.4 16.6L8.8 11M14.6 16.6L15.2 11',
    width: 1.9,
  },
  snow: {
    line: 'M12 1.6V22.4M3 6.8L21 17.2M3 17.2L21 6.8M9.2 3.6L12 6.2L14.8 3.6M9.2 20.4L12 17.8L14.8 20.4',
    width: 1.9,
  },

  // Whatever has no symbol of its own
  unit: { fill: 'M12 2L22 12L12 22L2 12ZM12 7L7 12L12 17L17 12Z' },

  die1: die([[C, C]]),
  die2: die([
    [W, E],
    [E, W],
  ]),
  die3: die([
    [W, E],
    [C, C],
    [E, W],
  ]),
  die4: die([
    [W, W],
    [W, E],
    [E, W],
    [E, E],
  ]),
  die5: die([
    [W, W],
    [W, E],
    [C, C],
    [E, W],
    [E, E],
  ]),
  die6: die([
    [W, W],
    [W, C],
    [W, E],
    [E, W],
    [E, C],
    [E, E],
  ]),
}

/** The symbol of that name; a plain one where there is none. */
export function symbolOf(name: string): Symbol {
  return SYMBOLS[name] ?? SYMBOLS.unit!
}
