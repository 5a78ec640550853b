// The battles of a log, each by itself: who began it, who is left, who is lost, who has left it alive,
// and what has been told of it so far.

import type { Battle, Combatant, Form, Line, Piece, Stack } from '../lib/types'

export interface Camp extends Combatant {
  /** Those who are neither here any more nor lost: they have retreated, submerged or gone home. */
  gone: Stack[]
}

export interface Scene {
  /** The battle that it is; of dice outside of battles the place of the first. */
  id: string
  title: string
  /** Where it is fought; '' for dice outside of battles. */
  space: string
  round: number
  step: string
  /** The attacker first; none for dice outside of battles. */
  camps: Camp[]
  lines: Line[]
  /** Where its lines stand in the log: from the first on, up to before this one. */
  from: number
  to: number
  over: boolean
}

const isHead = (line: Line) => (line.level ?? 2) < 2

/** What has been fought and rolled since line `start` of a log, oldest first. `now` is the battle in
 *  which the game rests after it, null if it rests in none; without it the log may go on. */
export function scenesOf(log: Line[], start: number, now?: Battle | null): Scene[] {
  const scenes: Scene[] = []
  /** How the last one of them has stood. */
  let battles: Battle[] = []
  for (let at = Math.max(0, start); at < log.length; at++) {
    const line = log[at]!
    const last = scenes.at(-1)
    if (line.fight) {
      let scene = last?.id === line.fight ? last : undefined
      if (!scene) {
        if (last) last.over = true
        battles = []
        scene = begun(line.fight, '', at)
        scenes.push(scene)
      }
      if (line.battle) {
        battles.push(line.battle)
        stand(scene, battles)
      }
      scene.lines.push(line)
      scene.to = at + 1
      scene.over ||= line.over ?? false
      continue
    }
    if (last && last.space) last.over = true
    const going = last && !last.space && !last.over ? last : undefined
    if (isHead(line)) {
      if (going) going.over = true
    } else if (going) {
      going.lines.push(line)
      going.to = at + 1
    } else if (line.throws?.length) {
      // Dice outside of battles, and what comes of them.
      const about = log.slice(0, at).findLast((one) => isHead(one) && !one.fight)
      const scene = begun(`dice ${at}`, about?.text ?? 'Dice', at)
      scene.lines.push(line)
      scene.to = at + 1
      scenes.push(scene)
    }
  }
  if (now === undefined) return scenes
  let last = scenes.at(-1)
  if (last && !last.over && (last.space || now) && last.space !== now?.space) last.over = true
  if (now) {
    if (!last || last.over) {
      // Something is asked before anything was told of it.
      battles = []
      scenes.push((last = begun(`${now.space} ${now.title}`, '', log.length)))
    }
    stand(last, [...battles, withLosses(now, battles.at(-1))])
  }
  return scenes
}

/** Where the battle begins in which a log ends; its end if it ends in none. */
export function startOf(log: Line[]): number {
  const fight = log.at(-1)?.fight
  let at = log.length
  while (fight && at > 0 && log[at - 1]!.fight === fight) at--
  return log.at(-1)?.over ? log.length : at
}

/** A battle as it stands, with the losses that were told of it where the game keeps no record of them. */
function withLosses(now: Battle, told: Battle | undefined): Battle {
  if (!told || now.sides.some((side) => side.lost?.length)) return now
  return { ...now, sides: now.sides.map((side, at) => ({ ...side, lost: told.sides[at]?.lost })) }
}

function begun(id: string, title: string, from: number): Scene {
  return {
    id,
    title,
    space: '',
    round: 0,
    step: '',
    camps: [],
    lines: [],
    from,
    to: from,
    over: false,
  }
}

function stand(scene: Scene, battles: Battle[]): void {
  const first = battles[0]!
  const now = battles.at(-1)!
  scene.title = first.title
  scene.space = first.space
  scene.round = now.round
  scene.step = now.step
  scene.camps = now.sides.map((side, number) => {
    const been = battles.map((battle) => battle.sides[number]!)
    // Who has nobody left is still called by name.
    const named = been.find((one) => one.stacks.length || one.power) ?? side
    const { title, power, player } = named
    return { ...side, title, power, player, gone: goneOf(been) }
  })
}

const size = (piece: Piece) => piece.size || (piece.count ?? 1)

/** Pieces by power and name, with how many there are, or how large. */
function tally(stacks: Stack[]): Map<string, { power: string; piece: Piece; number: number }> {
  const found = new Map<string, { power: string; piece: Piece; number: number }>()
  for (const stack of stacks) {
    for (const piece of stack.pieces) {
      const power = piece.power || stack.power
      const key = `${power} ${piece.id || piece.name}`
      const number = (found.get(key)?.number ?? 0) + size(piece)
      found.set(key, { power, piece, number })
    }
  }
  return found
}

/** Those of a side who were there once, and now are neither there nor lost. */
function goneOf(been: Combatant[]): Stack[] {
  const most = new Map<string, { power: string; piece: Piece; number: number }>()
  for (const side of been) {
    for (const [key, one] of tally([...side.stacks, ...(side.lost ?? [])])) {
      if (one.number > (most.get(key)?.number ?? 0)) most.set(key, one)
    }
  }
  const now = been.at(-1)!
  const left = tally([...now.stacks, ...(now.lost ?? [])])
  const found = new Map<string, Piece[]>()
  for (const [key, { power, piece, number }] of most) {
    const away = number - (left.get(key)?.number ?? 0)
    if (away <= 0) continue
    const { symbol, name, id } = piece
    const gone: Piece = piece.size
      ? { symbol, name, id, size: away }
      : { symbol, name, count: away }
    found.set(power, [...(found.get(power) ?? []), gone])
  }
  return [...found].map(([power, pieces]) => ({ power, pieces }))
}

/** The powers that have a part in a battle. */
export function powersOf(camp: Camp): string[] {
  const stacks = [...camp.stacks, ...(camp.lost ?? []), ...camp.gone]
  return [
    ...new Set([camp.power, camp.player ?? '', ...stacks.map((stack) => stack.power)]),
  ].filter(Boolean)
}

/** What a battle has come to: how it was decided, else who is gone and the last that is said of it, and
 *  who has taken what. */
export function outcomeOf(scene: Scene): string[] {
  const dice = scene.lines.findLastIndex((line) => line.throws?.length)
  const after = scene.lines.slice(dice + 1)
  const taken = after.filter((line) => line.deed === 'taken')
  const decided = after.filter((line) => line.deed === 'decided')
  const last = scene.lines.slice(-1).filter((line) => !taken.includes(line))
  const told = [...(decided.length ? decided : last), ...taken].map((line) => line.text)
  return decided.length || taken.length ? told : [...goneFrom(scene), ...told]
}

/** Which side of a battle has nobody left, where one of them has had somebody. */
function goneFrom(scene: Scene): string[] {
  const [attackers, defenders] = scene.camps.map(({ stacks, gone, lost }) => ({
    here: stacks.some(({ pieces }) => pieces.length),
    had: gone.length > 0 || (lost ?? []).length > 0,
  }))
  if (!attackers || !defenders || attackers.here === defenders.here) return []
  const [side, name] = attackers.here ? [defenders, 'defenders'] : [attackers, 'attackers']
  return side.had ? [`The ${name} are gone.`] : []
}

/** Whether a battle that is over has gone well for a side: it has the place, or the others are gone.
 *  Where it was decided and both are left, the attacker has not got what he came for. */
export function verdictOf(scene: Scene, own: number): '' | 'good' | 'bad' {
  const taken = scene.lines.findLast((line) => line.deed === 'taken')?.power
  const taker = scene.camps.findIndex((camp) => taken && powersOf(camp).includes(taken))
  if (taker >= 0) return taker === own ? 'good' : 'bad'
  const left = scene.camps.map((camp) => camp.stacks.some((stack) => stack.pieces.length))
  if (scene.camps.length !== 2) return ''
  if (left[0] && left[1] && scene.lines.some((line) => line.deed === 'decided')) {
    return own === 1 ? 'good' : 'bad'
  }
  if (left[0] === left[1]) return ''
  return left[own] ? 'good' : 'bad'
}

/** Whether a question belongs to a scene: it is about that battle, or asks which one is fought after
 *  it. What can be moved or attacked otherwise has nothing to do with it. */
export function belongs(form: Form, scene: Scene): boolean {
  if (!scene.over) return form.battle !== undefined && form.battle === scene.space
  const choices = form.choices ?? []
  return form.component === 'choose' && choices.length > 0 && choices.every((one) => one.battle)
}

/** For so many lines the battle of others that is over stays on the stage, while `told` grows. */
const STAYS = 4

/** The scene to show: the first that is mine, and waits until I have seen it; else the newest, unless
 *  it is over and of the `told` lines some more have come since. */
export function shownOf(
  scenes: Scene[],
  mine: (scene: Scene) => boolean,
  told: number,
): Scene | null {
  const own = scenes.find(mine)
  const last = scenes.at(-1)
  if (own || !last) return own ?? null
  return last.space && last.over && told - last.to > STAYS ? null : last
}
