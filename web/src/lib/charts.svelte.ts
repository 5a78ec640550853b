// The chart that is open, and what is lit in it.

import type { Reading } from './types'

class Charts {
  /** What is being read; null: no chart is open. */
  reading = $state.raw<Reading | null>(null)

  open(reading: Reading): void {
    this.reading = reading
  }

  close(): void {
    this.reading = null
  }
}

export const charts = new Charts()
