// What this browser remembers. Where it may not (a private window), a choice lasts as long as the
// page.

export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Nothing but the memory is lost.
  }
}

export function recall(key: string): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}
