// Setting a table up: who sits where, and starting at once when nobody is missing.

import { guide } from '../guide/guide.svelte'
import * as api from './api'
import { session } from './session.svelte'
import { keep, recall } from './storage'
import type { GameInfo, QuickStart } from './types'
import { commitmentTo } from './verify'

export interface Place {
  powers: string[]
  kind: api.SeatKind
  /** The name of another person here, or of the friend who is invited. */
  player: string
  bot: string
}

/** The seats of the protocol: places of the same person are one seat. */
export function seatsOf(places: Place[]): api.NewSeat[] {
  const seats: api.NewSeat[] = []
  for (const { powers, kind, player, bot } of places) {
    const name = player.trim()
    const known = seats.find(
      (seat) =>
        seat.kind === kind &&
        (kind === 'me' ||
          ((kind === 'here' || kind === 'invited') && name && seat.player === name)),
    )
    if (known) {
      known.powers = [...known.powers, ...powers]
    } else {
      const seat: api.NewSeat = { powers: [...powers], kind }
      if (kind === 'here' || (kind === 'invited' && name)) seat.player = name
      if (kind === 'bot') seat.bot = bot
      seats.push(seat)
    }
  }
  return seats
}

/** What is missing before a table can be made, or ''. */
export function lacking(places: Place[]): string {
  const here = places.filter((place) => place.kind === 'here')
  if (here.some((place) => !place.player.trim())) return 'Give every person here a name.'
  if (places.some((place) => place.kind === 'here') && !places.some((p) => p.kind === 'me')) {
    return 'Take a seat yourself as well, or let the other person here be you.'
  }
  return ''
}

/** Whether the game can start at once. */
export function complete(places: Place[]): boolean {
  return places.every((place) => place.kind !== 'invited' && place.kind !== 'open')
}

/** What I commit to: the fingerprint of my share in a game's dice, which is kept here until all
 *  have committed, and so that the verify page can look for it. */
export function commitTo(game: string): string {
  // One for all my seats.
  const share = myShare(game) || api.entropy()
  keep(`sandtable.share.${game}`, share)
  return commitmentTo(share)
}

/** Show my share if the game is starting and waits for it. What all have committed to is noted
 *  before. */
export async function revealIn(info: GameInfo): Promise<GameInfo> {
  if (!info.seats.some((seat) => seat.mine && seat.sealed)) return info
  keep(`sandtable.sealed.${info.id}`, info.commitments.join(' '))
  return api.reveal(info.id, myShare(info.id))
}

/** What was promised about a game's dice before I gave my share. */
export function witness(info: GameInfo): void {
  const key = `sandtable.promise.${info.id}`
  if (!recall(key)) keep(key, info.commitment)
}

export const promised = (game: string) => recall(`sandtable.promise.${game}`)
export const sealed = (game: string) => recall(`sandtable.sealed.${game}`)
export const myShare = (game: string) => recall(`sandtable.share.${game}`)

/** Play on from a past version of a game, at a table of its own. */
export async function playOnFrom(game: string, version: number): Promise<GameInfo> {
  const info = await api.branch(game, version)
  witness(info)
  return revealIn(await api.start(info.id, commitTo(info.id)))
}

/** Make a table; start the game if every seat is taken. */
export async function makeTable(
  table: api.NewGame,
  name: string,
  atOnce: boolean,
  withGuide: boolean,
): Promise<GameInfo> {
  await session.ensure(name)
  let info = await api.createGame(table)
  witness(info)
  if (withGuide) guide.open(info.id)
  if (atOnce) info = await revealIn(await api.start(info.id, commitTo(info.id)))
  return info
}

/** Start a game by one button: me for a power, bots for the others. */
export async function quickStart(game: string, how: QuickStart, name: string): Promise<GameInfo> {
  const options = how.options ?? {}
  const { seats } = await api.places(game, options)
  const places: Place[] = seats.map(({ powers }) => ({
    powers,
    kind: powers.includes(how.power) ? 'me' : 'bot',
    player: '',
    bot: 'greedy',
  }))
  return makeTable({ game, options, access: 'private', seats: seatsOf(places) }, name, true, true)
}
