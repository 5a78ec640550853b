import { expect, it } from 'vitest'
import { freeRooms, inSight, scaleIn } from './room'

const board = { width: 1000, height: 680 }
const card = { width: 364, height: 300 }
const battle = { width: 664, height: 360 }

it('a board that nothing lies over is free', () => {
  expect(freeRooms(board, null, null)).toEqual([{ left: 0, top: 0, right: 1000, bottom: 680 }])
})

it('places come into view beside a card in the upper left corner, or below it', () => {
  expect(freeRooms(board, card, null)).toEqual([
    { left: 364, top: 0, right: 1000, bottom: 680 },
    { left: 0, top: 300, right: 1000, bottom: 680 },
  ])
  expect(freeRooms({ width: 600, height: 680 }, card, null)).toEqual([
    { left: 0, top: 300, right: 600, bottom: 680 },
  ])
})

it('above or beside a battle, as the room is for what is to be seen', () => {
  const rooms = freeRooms(board, null, battle)
  const [beside, above] = [
    { left: 0, top: 0, right: 336, bottom: 680 },
    { left: 0, top: 0, right: 1000, bottom: 320 },
  ]
  expect(rooms).toEqual([beside, above])
  expect(scaleIn(beside!, [0, 0, 100, 300])).toBeGreaterThan(scaleIn(above!, [0, 0, 100, 300]))
  expect(scaleIn(beside!, [0, 0, 1300, 760])).toBeLessThan(scaleIn(above!, [0, 0, 1300, 760]))
})

it('both corners can be taken', () => {
  expect(freeRooms(board, card, battle)).toEqual([
    { left: 364, top: 0, right: 1000, bottom: 320 },
    { left: 0, top: 300, right: 336, bottom: 680 },
  ])
})

it('where too little is left, something has to lie over the place', () => {
  const small = { width: 380, height: 300 }
  expect(freeRooms(small, { width: 366, height: 250 }, null)).toEqual([
    { left: 0, top: 0, right: 380, bottom: 300 },
  ])
})

it('what a card or a battle lies over is not in sight, nor what is at the edge', () => {
  expect(inSight([200, 200], board, null, null)).toBe(true)
  expect(inSight([200, 200], board, card, null)).toBe(false)
  expect(inSight([200, 400], board, card, battle)).toBe(true)
  expect(inSight([500, 400], board, card, battle)).toBe(false)
  expect(inSight([990, 200], board, null, null)).toBe(false)
  // On a phone the row of buttons lies over more than the edge.
  const phone = { width: 390, height: 300 }
  expect(inSight([78, 274], phone, null, null)).toBe(false)
  expect(inSight([78, 240], phone, null, null)).toBe(true)
})
