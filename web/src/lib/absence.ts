// Who is away, for how long it may be, and who can let a bot play on meanwhile.

import { powerOf } from './theme'
import type { About, GameInfo, SeatInfo } from './types'

/** Without a clock: after so long without a connection, in milliseconds. */
const AWAY = 600_000

/** From when on those on the side of a person whom the game waits for can let a bot play on, as a
 *  time; null while nobody can foresee it: the person is there, and no clock runs. */
export function overdueAt(info: GameInfo, seat: SeatInfo): number | null {
  if (seat.kind !== 'person' || seat.bot || !seat.since) return null
  if (info.clock) return seat.deadline ? Date.parse(seat.deadline) : null
  if (seat.online) return null
  return Math.max(Date.parse(seat.since), Date.parse(seat.away ?? seat.since)) + AWAY
}

/** Whether it is for me to agree: another person of my own side is away. */
export function forMe(info: GameInfo, about: About | null, seat: SeatInfo): boolean {
  const side = (one: SeatInfo) => powerOf(about, one.powers[0]!)?.side
  return (
    !seat.mine &&
    info.seats.some(
      (one) => one.mine && one.kind === 'person' && !one.bot && side(one) === side(seat),
    )
  )
}

/** What stands beside a person whom the game waits for: the time left, or since when they are away. */
export function patience(info: GameInfo, seat: SeatInfo, now: number): string {
  if (seat.kind !== 'person' || seat.bot) return ''
  const due = overdueAt(info, seat)
  // At one screen nobody is "you".
  const me = seat.mine && info.you.length < 2
  if (info.clock && due !== null) {
    if (due <= now) return me ? 'Your time is up.' : `The time of ${seat.player} is up.`
    const then =
      info.clock.then === 'bot'
        ? 'then a bot plays on'
        : me
          ? 'then your side may let a bot play on'
          : 'then their side may let a bot play on'
    return `${me ? 'You have' : `${seat.player} has`} ${duration(due - now)} left, ${then}.`
  }
  if (due === null || seat.mine) return ''
  if (due <= now) return `${seat.player} is away. Their side can let a bot play on.`
  return `${seat.player} is away. In ${duration(due - now)} their side can let a bot play on.`
}

/** A length of time in words: `45 s`, `12 min`, `3 h 20 min`, `2 days 4 h`. */
export function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 60) return `${Math.max(seconds, 0)} s`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours < 48) return rest ? `${hours} h ${rest} min` : `${hours} h`
  const days = Math.floor(hours / 24)
  return hours % 24 ? `${days} days ${hours % 24} h` : `${days} days`
}
