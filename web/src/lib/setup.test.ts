import { describe, expect, it } from 'vitest'
import { complete, lacking, type Place, seatsOf } from './setup'

const place = (power: string, kind: Place['kind'], player = ''): Place => ({
  powers: [power],
  kind,
  player,
  bot: 'greedy',
})

describe('seats', () => {
  it('of the same person are one', () => {
    expect(
      seatsOf([
        place('a', 'me'),
        place('b', 'here', 'Ben'),
        place('c', 'me'),
        place('d', 'here', ' Ben '),
        place('e', 'bot'),
        place('f', 'bot'),
      ]),
    ).toEqual([
      { powers: ['a', 'c'], kind: 'me' },
      { powers: ['b', 'd'], kind: 'here', player: 'Ben' },
      { powers: ['e'], kind: 'bot', bot: 'greedy' },
      { powers: ['f'], kind: 'bot', bot: 'greedy' },
    ])
  })

  it('of friends without a name are each their own', () => {
    expect(seatsOf([place('a', 'invited'), place('b', 'invited')])).toHaveLength(2)
    expect(seatsOf([place('a', 'invited', 'Cy'), place('b', 'invited', 'Cy')])).toHaveLength(1)
  })

  it('lack a name for a person here', () => {
    expect(lacking([place('a', 'me'), place('b', 'here')])).toMatch(/name/)
    expect(lacking([place('a', 'here', 'Ben'), place('b', 'bot')])).toMatch(/yourself/)
    expect(lacking([place('a', 'me'), place('b', 'here', 'Ben')])).toBe('')
  })

  it('are complete when nobody has to come first', () => {
    expect(complete([place('a', 'me'), place('b', 'bot'), place('c', 'here')])).toBe(true)
    expect(complete([place('a', 'me'), place('b', 'open')])).toBe(false)
  })
})
