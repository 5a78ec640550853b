/** How long ago, in words. */
export function ago(when: string): string {
  const minutes = Math.round((Date.now() - new Date(when).getTime()) / 60_000)
  if (Number.isNaN(minutes)) return ''
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.round(minutes / 60)
  if (hours < 24) return `${hours} h ago`
  const days = Math.round(hours / 24)
  return days === 1 ? 'yesterday' : `${days} days ago`
}

/** The time of day, with the day if it is not today's. */
export function clock(when: string): string {
  const at = new Date(when)
  const time = at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  if (at.toDateString() === new Date().toDateString()) return time
  return `${at.toLocaleDateString([], { day: 'numeric', month: 'short' })}, ${time}`
}

/** How long until then, in words. */
export function until(when: string): string {
  const minutes = Math.round((new Date(when).getTime() - Date.now()) / 60_000)
  if (minutes <= 0) return 'time is up'
  if (minutes < 60) return `${minutes} min left`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h left` : `${Math.floor(hours / 24)} days left`
}
