import { beforeEach, expect, it, vi } from 'vitest'
import { Seen } from './seen.svelte'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
})

it('nothing is new to whoever is here from the start and stays', () => {
  const seen = new Seen('g')
  seen.take(3, true)
  seen.take(8, true)
  expect(seen.since).toBe(0)
})

it('whoever comes back another day finds where they left', () => {
  new Seen('g').take(8, true)
  const back = new Seen('g')
  back.take(20, true)
  expect(back.since).toBe(8)
  back.take(21, true)
  expect(back.since).toBe(8)
  const other = new Seen('h')
  other.take(20, true)
  expect(other.since).toBe(0)
})

it('what happened while another tab was looked at is new', () => {
  const seen = new Seen('g')
  seen.take(8, true)
  seen.take(8, false)
  seen.take(12, false)
  expect(seen.since).toBe(0)
  seen.take(12, true)
  expect(seen.since).toBe(8)
})

it('what has been taken back is not new', () => {
  const seen = new Seen('g')
  seen.take(8, true)
  seen.take(8, false)
  seen.take(12, true)
  seen.take(7, true)
  expect(seen.since).toBe(0)
})
