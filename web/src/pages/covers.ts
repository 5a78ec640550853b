// How the start page introduces the games it knows. A game that is not here is listed all the same,
// by its title, and its options are shown as the server describes them.

export interface QuickStart {
  label: string
  detail: string
  options: Record<string, unknown>
  /** The power that the person plays; bots play the others. */
  power: string
}
export interface Cover {
  picture: string
  blurb: string
  facts: string[]
  quick: QuickStart
  /** Words for the values of options: option, value, name and more about it. */
  words: Record<string, Record<string, [name: string, about: string]>>
}

export const COVERS: Record<string, Cover> = {
  aa1942: {
    picture: '/covers/aa1942.svg',
    blurb:
      'Spring 1942: five powers at the height of the war. Buy units, attack, and take the cities that decide it.',
    facts: ['2 to 5 players', '3 to 5 hours', 'Alone: pause when you like'],
    quick: {
      label: 'Play Germany against bots',
      detail: 'With a guide through your first turn',
      options: {},
      power: 'germany',
    },
    words: {
      victory: {
        standard: ['Nine cities', 'A side wins with 9 victory cities at the end of a round'],
        total: ['All cities', 'A side has to take every one of them'],
      },
      treasury: {
        corrected: ['Corrected', 'Germany 41, United Kingdom 31'],
        printed: ['As printed', 'Germany 40, United Kingdom 30'],
      },
      setup: {
        boxed: ['As in the box', ''],
        tournament: ['Tournament', ''],
      },
      cities: {
        '12': ['12 cities', 'As printed'],
        '13': ['13 cities', 'With Honolulu'],
      },
    },
  },
  blitz: {
    picture: '/covers/blitz.svg',
    blurb:
      'The war from 1939 to 1946 in half-year turns: blitzes and reactions, convoys, oil and politics. Learn it scenario by scenario.',
    facts: ['2 to 5 players', 'Scenario A: 30 minutes', 'Campaign: a long weekend'],
    quick: {
      label: 'Play scenario A',
      detail: 'As Germany, two turns, with a guide',
      options: { scenario: 'A' },
      power: 'germany',
    },
    words: {
      scenario: {
        A: ['A · The Blitz of Western Europe', '2 turns · land combat and blitzes: start here'],
        B: ['B · The Longest Day', '3 turns · adds ships, landings and builds'],
        C: ['C · The Battle of the Atlantic', '7 turns · adds sea combat, convoys, oil, weapons'],
        D: ['D · Barbarossa', '10 turns · adds supply, snow and Lend Lease'],
        E: ['E · Empire of the Rising Sun', '12 turns · the Pacific, China and the A-Bomb'],
        F: ['F · Rise and Fall of Fascism', '15 turns · adds politics, partisans and trade'],
        campaign: ['The whole war', '15 turns · all five powers and every rule'],
      },
      players: {
        null: ['As many as can', ''],
        '2': ['Two', ''],
        '3': ['Three', ''],
        '4': ['Four', ''],
        '5': ['Five', ''],
      },
    },
  },
}

/** An option's name as people read it: `road_to_war`, "Road to war". */
export function inWords(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A power where only its id is known; short ids are abbreviations. */
export function powerInWords(id: string): string {
  return id.length <= 4 ? id.toUpperCase() : id.split('_').map(inWords).join(' ')
}

export function valueInWords(game: string, option: string, value: unknown): string {
  const known = COVERS[game]?.words[option]?.[String(value)]
  if (known) return known[0]
  if (value === null) return 'Any'
  if (value === true) return 'Yes'
  if (value === false) return 'No'
  return typeof value === 'string' ? inWords(value) : String(value)
}
