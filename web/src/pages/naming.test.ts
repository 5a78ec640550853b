import { expect, test } from 'vitest'
import { clockInWords, hoursInWords } from './naming'

test('times are said in days, hours and minutes', () => {
  const said = [2, 60, 90, 121, 1440, 1500, 4320].map((minutes) => hoursInWords(minutes / 60))
  expect(said).toEqual([
    '2 minutes',
    '1 hour',
    '1 hour 30 minutes',
    '2 hours 1 minute',
    '1 day',
    '25 hours',
    '3 days',
  ])
  expect(clockInWords({ hours: 1.5, then: 'bot' })).toBe(
    '1 hour 30 minutes for a decision, then a bot plays on',
  )
})
