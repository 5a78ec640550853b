import { expect, it } from 'vitest'
import type { Battle, Form, Line, Piece } from '../lib/types'
import { belongs, outcomeOf, powersOf, scenesOf, shownOf, startOf, verdictOf } from './stage'

const men = (count: number): Piece[] =>
  count ? [{ symbol: 'infantry', name: 'Infantry', count }] : []
function battle(title: string, ours: number, theirs: number, lost = 0): Battle {
  const side = (power: string, count: number, dead: number) => ({
    title: count ? `${power} fights` : 'Nobody fights',
    power: count ? power : '',
    stacks: count ? [{ power, pieces: men(count) }] : [],
    lost: dead ? [{ power, pieces: men(dead) }] : [],
  })
  return {
    space: 'poland',
    title,
    round: 1,
    step: '',
    sides: [side('germany', ours, 0), side('ussr', theirs, lost)],
  }
}
const line = (text: string, more: Partial<Line> = {}): Line => ({ kind: 'said', text, ...more })
const dice = { throws: [{ label: '', faces: [1] }] }

const LOG: Line[] = [
  line('Combat begins.', { level: 1 }),
  line('Germany attacks.', { fight: '1', battle: battle('One', 3, 2) }),
  line('They roll.', { fight: '1', ...dice }),
  line('One is lost.', { fight: '1', battle: battle('One', 3, 1, 1) }),
  line('The other retreats.', { fight: '1', battle: battle('One', 3, 0, 1) }),
  line('Germany takes Poland.', { fight: '1', over: true }),
  line('Again.', { fight: '6', battle: battle('Two', 1, 1) }),
]

it('two battles never share a scene, and one is over when the next begins', () => {
  const scenes = scenesOf(LOG, 0)
  expect(scenes.map((scene) => [scene.title, scene.over, scene.from, scene.to])).toEqual([
    ['One', true, 1, 6],
    ['Two', false, 6, 7],
  ])
  expect(scenesOf(LOG, 6).map((scene) => scene.title)).toEqual(['Two'])
})

it('who is left, who is lost and who has left alive are told apart, and keep their names', () => {
  const [, theirs] = scenesOf(LOG, 0)[0]!.camps
  expect(theirs!.title).toBe('ussr fights')
  expect(theirs!.stacks).toEqual([])
  expect(theirs!.lost).toEqual([{ power: 'ussr', pieces: men(1) }])
  expect(theirs!.gone).toEqual([{ power: 'ussr', pieces: men(1) }])
  expect(powersOf(theirs!)).toEqual(['ussr'])
})

it('units that have sizes are counted by them', () => {
  const unit = (size: number): Piece => ({ symbol: 'army', name: 'Army Group', id: 'ag', size })
  const sides = (here: Piece[], lost: Piece[]): Battle => ({
    space: 'poland',
    title: 'Ground Attack',
    round: 1,
    step: '',
    sides: [
      {
        title: 'Germany attacks',
        power: 'germany',
        stacks: [{ power: 'germany', pieces: here }],
        lost: [{ power: 'germany', pieces: lost }],
      },
    ],
  })
  const log = [
    line('', { fight: '0', battle: sides([unit(3)], []) }),
    line('', { fight: '0', battle: sides([], [unit(1)]) }),
  ]
  expect(scenesOf(log, 0)[0]!.camps[0]!.gone).toEqual([{ power: 'germany', pieces: [unit(2)] }])
})

it('the outcome is who has taken what, and the last that is said', () => {
  expect(outcomeOf(scenesOf(LOG, 0)[0]!)).toEqual([
    'The defenders are gone.',
    'Germany takes Poland.',
  ])
  const taken = [...LOG.slice(0, 4), line('Taken.', { fight: '1', deed: 'taken' }), LOG[5]!]
  expect(outcomeOf(scenesOf(taken, 0)[0]!)).toEqual(['Germany takes Poland.', 'Taken.'])
  expect(outcomeOf(scenesOf(LOG.slice(0, 3), 0)[0]!)).toEqual(['They roll.'])
  const held = [line('Held.', { fight: '1', deed: 'decided' }), line('Home.', { fight: '1' })]
  expect(outcomeOf(scenesOf([...LOG.slice(0, 4), ...held], 0)[0]!)).toEqual(['Held.'])
})

it('it has gone well for whoever is left alone on the field', () => {
  const [one, two] = scenesOf(LOG, 0)
  expect([verdictOf(one!, 0), verdictOf(one!, 1), verdictOf(two!, 0)]).toEqual(['good', 'bad', ''])
  const taken = line('Taken.', { fight: '6', deed: 'taken', power: 'ussr' })
  expect(verdictOf(scenesOf([...LOG, taken], 6)[0]!, 0)).toBe('bad')
  const held = scenesOf([...LOG, line('Held.', { fight: '6', deed: 'decided' })], 6)[0]!
  expect([verdictOf(held, 0), verdictOf(held, 1)]).toEqual(['bad', 'good'])
})

it('dice outside of battles have a scene of their own, up to the next heading', () => {
  const log = [
    line('Research', { level: 1 }),
    line('Nothing to see.'),
    line('Rockets?', dice),
    line('Rockets!'),
    line('Income', { level: 1 }),
    line('Money.'),
  ]
  const scenes = scenesOf(log, 0)
  expect(scenes.map((one) => [one.title, one.lines.length, one.over])).toEqual([
    ['Research', 2, true],
  ])
})

it('a page that is opened in the middle of a battle shows all of it, and none that is over', () => {
  expect(startOf(LOG)).toBe(6)
  expect(startOf(LOG.slice(0, 4))).toBe(1)
  expect(startOf(LOG.slice(0, 6))).toBe(6)
  expect(startOf([])).toBe(0)
})

it('a battle of mine waits for me, those of others give way to the newest', () => {
  const scenes = scenesOf(LOG, 0)
  const told = LOG.length
  expect(shownOf(scenes, () => false, told)?.title).toBe('Two')
  expect(shownOf(scenes, (scene) => scene.title === 'One', told)?.title).toBe('One')
  expect(shownOf([], () => true, told)).toBe(null)
})

it('a battle of others that is over goes when the story has gone on, dice without sides stay', () => {
  const later = Array.from({ length: 5 }, () => line('Later.', { level: 1 }))
  const scenes = scenesOf([...LOG, ...later], 0)
  const { to } = scenes.at(-1)!
  expect(shownOf(scenes, () => false, to + 4)?.title).toBe('Two')
  expect(shownOf(scenes, () => false, to + 5)).toBe(null)
  expect(shownOf(scenes, (scene) => scene.title === 'Two', to + 5)?.title).toBe('Two')
  const rolled = scenesOf([line('Research', { level: 1 }), line('?', dice), ...later], 0)
  expect(shownOf(rolled, () => false, 7)?.title).toBe('Research')
})

it('the battle in which the game rests is on the stage, told of or not, and how it stands now', () => {
  const asked = scenesOf(LOG.slice(0, 1), 0, battle('One', 3, 2))
  expect(asked.map((scene) => [scene.title, scene.over, scene.lines.length])).toEqual([
    ['One', false, 0],
  ])
  const running = scenesOf(LOG, 0, battle('Two', 1, 0, 1))
  expect(running.map((scene) => scene.over)).toEqual([true, false])
  expect(running[1]!.camps[1]!.stacks).toEqual([])
  expect(scenesOf(LOG, 0, null).map((scene) => scene.over)).toEqual([true, true])
})

it('losses that only the log knows of stay, and whoever decides for a side has a part in it', () => {
  const told = LOG.slice(0, 4)
  const [, theirs] = scenesOf(told, 0, battle('One', 3, 1))[0]!.camps
  expect(theirs!.lost).toEqual([{ power: 'ussr', pieces: men(1) }])
  expect(theirs!.gone).toEqual([])
  expect(powersOf({ ...theirs!, player: 'china' })).toEqual(['ussr', 'china'])
})

it('what is asked of a battle stands on its stage, and which one is next; nothing else does', () => {
  const [over, running] = scenesOf(LOG, 0)
  const form = (more: Partial<Form>): Form => ({
    kind: 'asked',
    power: 'germany',
    component: 'choose',
    title: '',
    prompt: '',
    ...more,
  })
  const choices = [{ label: 'Attack', decision: { kind: 'attack' }, battle: 'poland' }]
  expect(belongs(form({ battle: 'poland' }), running!)).toBe(true)
  expect(belongs(form({ battle: 'poland' }), over!)).toBe(false)
  expect(belongs(form({ choices }), over!)).toBe(true)
  // Ships that can move, and attacks that they could make.
  expect(belongs(form({ component: 'move', choices }), over!)).toBe(false)
})
