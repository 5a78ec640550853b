import { expect, it, vi } from 'vitest'
import type { Choice } from '../lib/types'
import { beside, keepOrders, listed, lowered, orderOf, raising, recallOrders } from './sheet'

const build = (unit: string, size: number, at = ''): Choice => ({
  label: `${unit} to Size ${size}`,
  decision: { kind: 'build', unit, size, at },
  group: at ? `New in ${at}` : 'Enlarge',
  item: unit,
})
const corps: Choice = {
  label: 'Infantry',
  decision: { kind: 'build', number: 0 },
  item: 'inf',
  rows: [{ key: 'number', label: 'Infantry', path: ['number'], most: 5, value: 1 }],
}

it('an order is what a choice decides; of what is counted, one', () => {
  expect(orderOf(build('army', 2)).decision).toEqual({
    kind: 'build',
    unit: 'army',
    size: 2,
    at: '',
  })
  expect(orderOf(corps).decision).toEqual({ kind: 'build', number: 1 })
})

it('a line is raised by its choices, and the others stand beside the sheet', () => {
  const bigger = { ...build('army', 3), item: undefined }
  const research: Choice = { label: 'Research', decision: { kind: 'research' }, group: 'Projects' }
  const choices = [
    build('army', 2),
    bigger,
    build('fleet', 1, 'kiel'),
    build('fleet', 1, 'brest'),
    research,
  ]
  const fleet = { key: 'fleet', label: 'Fleet' }
  expect(raising(fleet, choices).map((one) => one.decision.at)).toEqual(['kiel', 'brest'])
  expect(beside(choices)).toEqual([research])
})

it('the list has one entry for a line, with where its orders stand', () => {
  const orders = [build('army', 2), corps, build('army', 3), corps].map(orderOf)
  expect(listed(orders)).toEqual([
    { label: 'army to Size 3', detail: '', times: 1, at: [0, 2] },
    { label: 'Infantry', detail: '', times: 2, at: [1, 3] },
  ])
})

it('a line is lowered by its last order', () => {
  const orders = [build('army', 2), build('army', 3), corps].map(orderOf)
  expect(lowered(orders, 'army').map((one) => one.label)).toEqual(['army to Size 2', 'Infantry'])
  expect(lowered(orders, 'navy')).toEqual(orders)
})

it('orders are remembered for the power and the step that they are for, until they are given', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    setItem: (key: string, value: string) => kept.set(key, value),
    getItem: (key: string) => kept.get(key) ?? null,
  })
  const orders = [orderOf(corps)]
  keepOrders('g', 'germany', 'Turn 2', orders)
  expect(recallOrders('g', 'germany', 'Turn 2')).toEqual(orders)
  expect(recallOrders('g', 'germany', 'Turn 3')).toEqual([])
  expect(recallOrders('g', 'italy', 'Turn 2')).toEqual([])
  keepOrders('g', 'germany', 'Turn 2', [])
  expect(recallOrders('g', 'germany', 'Turn 2')).toEqual([])
  vi.unstubAllGlobals()
})
