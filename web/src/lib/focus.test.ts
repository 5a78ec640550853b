import { expect, test } from 'vitest'
import { placeAfter } from './focus'

/** As much of an element as is asked here. */
function element(is: { there?: boolean; disabled?: boolean; busy?: boolean; tab?: boolean } = {}) {
  return {
    isConnected: is.there ?? true,
    matches: (what: string) => (what === ':disabled' ? !!is.disabled : !!is.tab),
    closest: (what: string) => (what === '[aria-busy=true]' && is.busy ? {} : null),
  } as unknown as HTMLElement
}

test('the keyboard stays where it was, or goes to what is around that', () => {
  const panel = element({ tab: true })
  const row = element()
  const button = element()
  expect(placeAfter(button, [row, panel])).toBe(button)
  expect(placeAfter(element({ there: false }), [row, panel])).toBe(panel)
  expect(placeAfter(element({ disabled: true }), [row, panel])).toBe(panel)
  // What cannot be used for a moment only is waited for.
  expect(placeAfter(element({ disabled: true, busy: true }), [row, panel])).toBe(null)
  expect(placeAfter(element({ there: false }), [element({ tab: true, there: false })])).toBe(null)
})
