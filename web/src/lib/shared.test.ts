import { expect, test } from 'vitest'
import type { GameStore } from './game.svelte'
import { nextPerson, turnOf } from './shared'

const seats = [
  { powers: ['germany'], player: 'Ann' },
  { powers: ['france'], player: 'Ben' },
]
const table = (you: string[], turn: string, asked: string, secret = false) =>
  ({
    info: { you },
    asked,
    picture: { moment: { power: turn, secret } },
    name: (power: string) => power.toUpperCase(),
    seatOf: (power: string) => seats.find((seat) => seat.powers.includes(power)),
  }) as unknown as GameStore

test('at one screen the power is named, alone it is you', () => {
  expect(turnOf(table(['Ann', 'Ben'], 'germany', 'germany'))).toBe('GERMANY’s turn')
  expect(turnOf(table(['Ann'], 'germany', 'germany'))).toBe('Your turn')
})

test('the screen is handed over when the turn of another person begins', () => {
  const both = ['Ann', 'Ben']
  expect(nextPerson(table(both, 'france', 'france'), 'Ann')).toBe('Ben')
  expect(nextPerson(table(both, 'france', 'france'), 'Ben')).toBe('')
  // A defender only reaches over; alone nobody hands over; secrets have a curtain of their own.
  expect(nextPerson(table(both, 'germany', 'france'), 'Ann')).toBe('')
  expect(nextPerson(table(['Ann'], 'france', 'france'), 'Ann')).toBe('')
  expect(nextPerson(table(both, 'france', 'france', true), 'Ann')).toBe('')
})
