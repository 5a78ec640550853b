// A first turn as Germany in scenario A of Blitz!, The Blitz of Western Europe.

import { asked, holder, pieces, round, tagged, type Now, type Step, type Walk } from './steps'

const ME = 'germany'

const first = (now: Now): boolean => round(now) <= 1
const blitzing = (now: Now): boolean => /blitz/i.test(now.picture.moment.phase)
const opening = (now: Now): boolean => first(now) && !blitzing(now)
const neutral = (now: Now): boolean =>
  holder(now, 'belgium_netherlands') === '' && !pieces(now, 'belgium_netherlands', 'afa')
const hostile = (now: Now, space: string): boolean =>
  holder(now, space) !== ME && !(space === 'belgium_netherlands' && neutral(now))

const stands = (now: Now, space: string, name: string): boolean =>
  now.picture.spaces[space]?.stacks?.some((stack) =>
    stack.pieces.some((piece) => piece.name === name),
  ) ?? false

const steps: Step[] = [
  {
    id: 'goal',
    title: 'September 1939',
    text: [
      'You are Germany. Hold Paris and Poland at the same moment and you win at once; if you have not after two turns, the Anglo-French Alliance wins.',
      'Poland lies open. Paris has the Maginot Line in front of it.',
    ],
    when: (now) => opening(now) && asked('rebase_units')(now),
    spaces: () => ['paris', 'poland', 'berlin'],
  },
  {
    id: 'units',
    title: 'Your units',
    text: [
      'Every counter is one unit with a name. The number on it is its Size: bigger units have more factors, and damage takes Size away.',
      'Click Berlin to see what stands there.',
    ],
    when: (now) => opening(now) && asked('rebase_units')(now),
    spaces: () => ['berlin', 'western_germany'],
  },
  {
    id: 'war',
    title: 'The way round',
    text: [
      'Declare war on Belgium-Netherlands: it is below the units in the panel. Its army joins the enemy, but it is small, and the road to Paris that avoids the Maginot Line goes through it.',
    ],
    when: (now) => opening(now) && asked('rebase_units')(now) && neutral(now),
    until: (now) => !neutral(now),
    spaces: () => ['belgium_netherlands'],
    point: '.request [data-choice^="Declare war on Belgium"]',
  },
  {
    id: 'rebase',
    title: 'Air units',
    text: [
      'Air units change their bases in this step and at no other time. The Luftwaffe in Berlin can support an attack on Poland, the Stukas in Western Germany one on Belgium-Netherlands.',
      'They are where they should be, so this step can end.',
    ],
    when: (now) => opening(now) && asked('rebase_units')(now),
    until: () => false,
    point: '.request [data-answer="done"]',
  },
  {
    id: 'march',
    title: 'Armies',
    text: [
      'Now land units march, one at a time, and attacks come in the next step. Poland is the harder nut, so bring one more army: click Western Germany, choose the 18th Army, and click Berlin.',
    ],
    when: (now) =>
      opening(now) && asked('move_land')(now) && stands(now, 'western_germany', '18th Army'),
    until: (now) => stands(now, 'berlin', '18th Army'),
    spaces: () => ['western_germany', 'berlin'],
  },
  {
    id: 'end_march',
    title: 'Enough marching',
    text: [
      'Army Group B stays where it is: it leads against Belgium-Netherlands. A move that you regret can be undone. Then end the step.',
    ],
    when: (now) => opening(now) && asked('move_land')(now),
    until: () => false,
    point: '.request [data-answer="done"]',
  },
  {
    id: 'poland',
    title: 'Attack Poland',
    text: [
      'Click Poland on the map or in the list. Everything that can take part is ticked already, the Luftwaffe included.',
      'The bar shows your exact chances with what is ticked: with the 18th Army about two in three. Take a tick away to see what that unit is worth, put it back, and confirm.',
    ],
    when: (now) => opening(now) && asked('land_area_combat')(now) && hostile(now, 'poland'),
    until: (now) => tagged(now, 'poland', 'battle'),
    spaces: () => ['poland'],
  },
  {
    id: 'belgium',
    title: 'And Belgium',
    text: [
      'Now Belgium-Netherlands, with Army Group B and the Stukas. Leave Paris alone for now: behind the Maginot Line it cannot be taken from the front.',
    ],
    when: (now) =>
      opening(now) && asked('land_area_combat')(now) && hostile(now, 'belgium_netherlands'),
    until: (now) => tagged(now, 'belgium_netherlands', 'battle'),
    spaces: () => ['belgium_netherlands'],
  },
  {
    id: 'announce',
    title: 'All announced',
    text: [
      'Attacks are fought only after all of them are announced, and the enemy sees them first: he may send air units to defend. End the step.',
    ],
    when: (now) => opening(now) && asked('land_area_combat')(now),
    until: () => false,
    point: '.request [data-answer="done"]',
  },
  {
    id: 'combat',
    title: 'How a combat goes',
    text: [
      'If both sides fly there is an Air Round, then comes the Land Round. Each side adds up its factors, rolls one die, and the Combat Chart gives the result.',
      'A number is points of damage. A letter keeps units from advancing or sends them back: S a third of them, L two thirds, B all.',
    ],
    when: (now) => opening(now) && (asked('choose_next_attack')(now) || !!now.picture.battle),
    spaces: (now) => ['poland', 'belgium_netherlands'].filter((at) => tagged(now, at, 'battle')),
  },
  {
    id: 'damage',
    title: 'Damage',
    text: [
      'One point takes one Size from one unit. Big units can bear it; a unit of Size 1 is gone.',
    ],
    when: (now) => first(now) && asked('assign_damage')(now),
    until: () => false,
  },
  {
    id: 'base',
    title: 'Back to base',
    text: [
      'After a combat, air units return to a base in range. Think ahead: from Belgium-Netherlands they reach Paris, from Berlin they do not.',
    ],
    when: (now) => first(now) && asked('choose_base')(now),
    until: () => false,
  },
  {
    id: 'allies',
    title: 'The Allies move',
    text: [
      'Now the AFA does the same three steps. If it attacks you are asked which air units defend; otherwise sit back.',
    ],
    when: (now) => first(now) && /allied/i.test(now.picture.moment.phase) && now.kind === '',
  },
  {
    id: 'defence',
    title: 'Who defends?',
    text: [
      'The land units in the area defend in any case. Air units that you send fight an Air Round first and then support your army; they can also be lost.',
    ],
    when: (now) => first(now) && asked('commit_defence')(now),
    until: () => false,
  },
  {
    id: 'blitz',
    title: 'The Land Blitz',
    text: [
      'This is what the game is named after: your land units move and attack a second time. Air units may not rebase, but those in range still support an attack.',
      'Bring your armies towards Paris: click one, and see how far it can go. The road through Belgium-Netherlands avoids the Maginot Line.',
    ],
    when: (now) => first(now) && blitzing(now) && asked('move_land')(now),
    spaces: (now) =>
      ['poland', 'berlin', 'belgium_netherlands'].filter((space) => pieces(now, space, ME)),
  },
  {
    id: 'paris',
    title: 'Paris?',
    text: [
      'Open the attack on Paris, tick everything that can take part, and look at the bar. From Belgium-Netherlands the Maginot Line does not help the defenders.',
      'Mostly green: attack. Otherwise end the step, and come back in Turn 2 with your reinforcements.',
    ],
    when: (now) => first(now) && blitzing(now) && asked('land_area_combat')(now),
    until: () => false,
    spaces: () => ['paris'],
  },
  {
    id: 'end',
    title: 'Turn 2',
    text: [
      'That was a whole turn. Both sides have got reinforcements, and you have two more chances at Paris: your activities now, and another Land Blitz after the Allies have moved.',
      'From here on you are in command. The question mark at the top of the panel names the rules about what you are asked.',
    ],
    when: (now) => round(now) === 2 && now.kind !== '',
  },
]

export const westernEurope: Walk = {
  power: ME,
  fits: (about) => about.game === 'blitz' && /Western Europe/.test(about.subtitle),
  steps,
}
