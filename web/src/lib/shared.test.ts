import { expect, test } from 'vitest'
import type { GameStore } from './game.svelte'
import { named, naming, nextPerson, turnOf } from './shared'

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

test('what is said to whoever decides names the power instead', () => {
  const said = (text: string) => naming(text, 'Germany')
  expect(said('You, the attacker, take 2 hits. Choose which of your units are lost.')).toBe(
    'Germany, the attacker, takes 2 hits. Choose which of Germany’s units are lost.',
  )
  expect(said('Place the units that you bought; you have 2 left, and may stop if you want.')).toBe(
    'Place the units that Germany bought; Germany has 2 left, and may stop if Germany wants.',
  )
  expect(said('You and the enemy choose in turn.')).toBe('Germany and the enemy choose in turn.')
  expect(said('It is yours.')).toBe('It is Germany’s.')
  expect(naming('Your ships', 'United States')).toBe('United States’ ships')
  // Nothing else is touched, whatever its shape.
  const form = { title: 'Young men', rows: [{ label: 'Your fleet', most: 3 }], done: null }
  expect(named(form, 'Italy')).toEqual({ ...form, rows: [{ label: 'Italy’s fleet', most: 3 }] })
})
