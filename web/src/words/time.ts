/** Times as people say them, and exactly. */
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' })

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** "just now", "5 minutes ago", "in 3 days"; a date when it is more than a month away. */
export function relativeTime(at: Date, now: number): string {
  const awayMs = at.getTime() - now
  const farMs = Math.abs(awayMs)
  // The clock that is shown may be some seconds late, so what just happened may seem to lie ahead.
  if (farMs < minuteMs) return awayMs > minuteMs / 2 ? 'in a moment' : 'just now'
  // What is over counts in whole units, what comes is rounded: "in 5 days" right after a choice of five days.
  const units = (unitMs: number) => (awayMs > 0 ? Math.round : Math.trunc)(awayMs / unitMs)
  if (farMs < hourMs) return relative.format(units(minuteMs), 'minute')
  if (farMs < dayMs) return relative.format(units(hourMs), 'hour')
  if (farMs < 31 * dayMs) return relative.format(units(dayMs), 'day')
  return dateOf(at)
}

export function dateOf(at: Date): string {
  return date.format(at)
}

export function exactTime(at: Date): { local: string; utc: string } {
  return { local: local.format(at), utc: `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC` }
}
