import { expect, it } from 'vitest'
import { freeRoom } from './room'

const board = { width: 1000, height: 680 }

it('a board that nothing lies over is free', () => {
  expect(freeRoom(board, null, null)).toEqual({ left: 0, top: 0, right: 1000, bottom: 680 })
})

it('places come into view beside a card in the upper left corner, or below it', () => {
  const card = { width: 364, height: 300 }
  expect(freeRoom(board, card, null)).toEqual({ left: 364, top: 0, right: 1000, bottom: 680 })
  expect(freeRoom({ width: 600, height: 680 }, card, null)).toEqual({
    left: 0,
    top: 300,
    right: 600,
    bottom: 680,
  })
})

it('a battle board in the lower right corner leaves what is left of it, or above it', () => {
  const battle = { width: 664, height: 360 }
  expect(freeRoom(board, null, battle)).toEqual({ left: 0, top: 0, right: 336, bottom: 680 })
  expect(freeRoom({ width: 700, height: 680 }, null, battle)).toEqual({
    left: 0,
    top: 0,
    right: 700,
    bottom: 320,
  })
})

it('both corners can be taken', () => {
  const card = { width: 364, height: 300 }
  const battle = { width: 664, height: 360 }
  expect(freeRoom(board, card, battle)).toEqual({ left: 364, top: 0, right: 1000, bottom: 320 })
})

it('where too little is left, something has to lie over the place', () => {
  const small = { width: 380, height: 300 }
  expect(freeRoom(small, { width: 366, height: 250 }, null)).toEqual({
    left: 0,
    top: 0,
    right: 380,
    bottom: 300,
  })
})
