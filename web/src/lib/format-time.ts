/** Formats relative and exact times. */
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' })

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** "just now", "5 minutes ago", "in 3 days"; a date beyond one month. */
export function formatRelative(at: Date, now: number): string {
  const offsetMs = at.getTime() - now
  const distanceMs = Math.abs(offsetMs)
  // The displayed clock lags by some seconds, so a recent event may appear to be in the future.
  if (distanceMs < minuteMs) return offsetMs > minuteMs / 2 ? 'in a moment' : 'just now'
  // Past times truncate, future times round: "in 5 days" right after five days were selected.
  const units = (unitMs: number) => (offsetMs > 0 ? Math.round : Math.trunc)(offsetMs / unitMs)
  if (distanceMs < hourMs) return relative.format(units(minuteMs), 'minute')
  if (distanceMs < dayMs) return relative.format(units(hourMs), 'hour')
  if (distanceMs < 31 * dayMs) return relative.format(units(dayMs), 'day')
  return formatDate(at)
}

export function formatDate(at: Date): string {
  return date.format(at)
}

export function formatExact(at: Date): { local: string; utc: string } {
  return { local: local.format(at), utc: `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC` }
}
