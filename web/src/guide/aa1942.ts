// A first turn as Germany in Axis & Allies 1942. The Soviet Union has moved before, so that the
// steps look at the board instead of expecting one.

import { asked, pieces, round, tagged, type Now, type Step, type Walk } from './steps'

const ME = 'germany'
const BATTLE = ['choose_battle', 'choose_casualties', 'press_or_retreat']
const EAST = ['west_russia', 'belorussia', 'ukraine_ssr', 'baltic_states', 'finland', 'poland']

const first = (now: Now): boolean => round(now) <= 1
const mine = (now: Now): boolean => now.picture.moment.power === ME
const battles = (now: Now): string[] =>
  Object.keys(now.picture.spaces).filter((space) => tagged(now, space, 'battle'))
const fleet = (now: Now): boolean =>
  pieces(now, 'sz15', ME, 'battleship') > 0 && pieces(now, 'sz14', 'united_kingdom') > 0

const steps: Step[] = [
  {
    id: 'attacked',
    title: 'You are attacked',
    text: [
      'Your units fire back by themselves. When they are hit you choose what is lost: the usual choice is filled in, so just confirm it.',
    ],
    when: (now) => first(now) && !mine(now) && asked('choose_casualties')(now),
    until: () => false,
    point: '.request [data-answer="main"]',
  },
  {
    id: 'welcome',
    title: 'Spring 1942',
    text: [
      'You are Germany. The Soviet Union moves first: the log tells what it does.',
      'Look around: drag the map, turn the wheel or pinch to zoom, and click any space to see what is in it.',
    ],
    when: (now) =>
      first(now) && (now.picture.moment.power === 'soviet_union' || asked('purchase')(now)),
  },
  {
    id: 'goal',
    title: 'What you want',
    text: [
      'Cities with a star decide the war. You and Japan hold 6 of them; the Powers tab says how many each side has.',
      'Your way to more leads east, to Leningrad and Moscow, before American and British money decides the war.',
    ],
    when: (now) => first(now) && asked('purchase')(now),
    spaces: () => ['germany', 'karelia_ssr', 'russia'],
  },
  {
    id: 'purchase',
    title: 'Buy units',
    text: [
      'Each turn begins with a purchase. What you buy appears at the end of the turn, so you buy for your next one.',
      'A sound first order is 7 infantry, and artillery for the rest. Infantry takes the losses, and an artillery piece makes the infantry beside it attack better.',
    ],
    when: (now) => first(now) && asked('purchase')(now),
    until: () => false,
    point: '.request [data-row="infantry"]',
  },
  {
    id: 'moves',
    title: 'Two kinds of moves',
    text: [
      'Now you move everything that attacks. What does not attack can wait: it moves after the battles.',
      'Nothing is fought before you end this phase, and every move can be undone until then.',
    ],
    when: (now) => first(now) && asked('combat_move')(now),
  },
  {
    id: 'fleet',
    title: 'A first attack',
    text: [
      'Your battleship in Sea Zone 15 can sink the British cruiser in Sea Zone 14. Click Sea Zone 15, choose the battleship, and see where it can go: red means battle.',
      'Point at Sea Zone 14, or tap it: the bar shows your chances, worked out exactly. Then click it, and they go.',
    ],
    when: (now) => first(now) && asked('combat_move')(now) && fleet(now),
    until: (now) => tagged(now, 'sz14', 'battle'),
    spaces: () => ['sz15', 'sz14'],
  },
  {
    id: 'wings',
    title: 'Send a fighter along',
    text: [
      'Aircraft fly to a battle and land afterwards, in a space that was yours when the turn began. Two attackers are safer than one: try the fighter in Bulgaria Romania or in Germany.',
      'You cannot fly too far by mistake. A space from which there is no way home does not light up, and says why when you point at it.',
    ],
    when: (now) => first(now) && asked('combat_move')(now) && tagged(now, 'sz14', 'battle'),
    spaces: (now) => ['germany', 'bulgaria_romania'].filter((at) => pieces(now, at, ME, 'fighter')),
  },
  {
    id: 'east',
    title: 'The East',
    text: [
      'Click one of your stacks there, choose All, and point at the red spaces. Attack where the bar is mostly green; further stacks can join the same attack.',
      'Tanks and aircraft strike hard, infantry absorbs hits. An attack with only expensive units wins battles and loses wars.',
    ],
    when: (now) => first(now) && asked('combat_move')(now),
    spaces: (now) => EAST.filter((space) => pieces(now, space, ME)),
  },
  {
    id: 'end_moves',
    title: 'Enough?',
    text: [
      'One or two good attacks are plenty for a first turn. End the combat moves when you like what you see, or undo and try something else.',
    ],
    when: (now) => first(now) && asked('combat_move')(now),
    until: () => false,
    point: '.request [data-answer="done"]',
  },
  {
    id: 'battle',
    title: 'Battle',
    text: [
      'In each round every unit rolls one die, and hits if it rolls its number or less. The defender fires back before losses are removed.',
      'If there are several battles, the order is yours; the bars show your chances in each.',
    ],
    when: (now) => first(now) && mine(now) && asked(...BATTLE)(now),
    spaces: battles,
  },
  {
    id: 'casualties',
    title: 'Losses',
    text: [
      'The enemy has hit. You choose what is lost; the cheapest useful choice is filled in already. Change it if you like and confirm.',
    ],
    when: (now) => first(now) && mine(now) && asked('choose_casualties')(now),
    until: () => false,
    point: '.request [data-answer="main"]',
  },
  {
    id: 'press',
    title: 'Go on or break off?',
    text: [
      'After each round the attacker decides. The bar on the battle board is up to date: press on while it is green, retreat while there is something left to save.',
      'Only a surviving land unit can take a territory. If all of your land units are gone, aircraft alone win nothing.',
    ],
    when: (now) => first(now) && mine(now) && asked('press_or_retreat')(now),
  },
  {
    id: 'auto',
    title: 'Clear battles',
    text: [
      'When the outcome is hardly in doubt you need not answer each question: “Fight all clear battles” does it for you and stops when a battle turns.',
    ],
    when: (now) => first(now) && mine(now) && now.clear && asked(...BATTLE)(now),
    point: '.request [data-answer="auto"]',
  },
  {
    id: 'noncombat',
    title: 'After the battles',
    text: [
      'First land your aircraft: the note in the panel names those still in the air. Then bring up what has not moved, above all infantry, towards the front.',
      'Do not leave conquered territory with one lonely tank. Whatever stands there is what your enemies will count next.',
    ],
    when: (now) => first(now) && mine(now) && asked('noncombat_move')(now),
  },
  {
    id: 'end_noncombat',
    title: 'When everyone has landed',
    text: [
      'The button below ends the phase. As long as an aircraft could still reach a landing place it stays closed, and says which one.',
    ],
    when: (now) => first(now) && mine(now) && asked('noncombat_move')(now),
    until: () => false,
    point: '.request [data-answer="done"]',
  },
  {
    id: 'mobilize',
    title: 'New units',
    text: [
      'Place what you bought at industrial complexes: Germany takes 10 units a turn, Italy 3. Germany is closer to the Soviets, Italy to Africa.',
    ],
    when: (now) => first(now) && mine(now) && asked('mobilize')(now),
    until: () => false,
    spaces: () => ['germany', 'italy'],
  },
  {
    id: 'end',
    title: 'That was a turn',
    text: [
      'You have collected your income, with what you conquered. The United Kingdom, Japan and the United States move, then the Soviet Union, and it is your turn again.',
      'From here on you are in command. The question mark at the top of the panel names the rules about what you are asked.',
    ],
    when: (now) => !first(now) || ![ME, 'soviet_union'].includes(now.picture.moment.power ?? ''),
  },
]

export const germany: Walk = {
  power: ME,
  fits: (about) => about.game === 'aa1942',
  steps,
}
