/** Formats times and time ranges in the local time zone. Daily stats are the exception: they use UTC days. */
const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
})
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const weekdayParts = { weekday: 'short', day: 'numeric', month: 'short' } as const
const weekday = new Intl.DateTimeFormat('en-GB', weekdayParts)
const utcDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const utcWeekday = new Intl.DateTimeFormat('en-GB', { ...weekdayParts, timeZone: 'UTC' })
const second = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** "12:00:01.204" */
export function formatClock(at: Date): string {
  return clock.format(at)
}

/** "15 Nov" */
export function formatDay(at: Date): string {
  return day.format(at)
}

/** "15 Nov 2026, 12:00" */
export function formatMinute(at: Date): string {
  return full.format(at)
}

/** "09:14", or "14 Nov, 09:14" on another day. */
export function formatSince(at: Date, now: Date): string {
  return withDay(at, now, hour.format(at))
}

/** "09:14:05", or "14 Nov, 09:14:05" on another day. */
export function formatSecond(at: Date, now: Date): string {
  return withDay(at, now, second.format(at))
}

/** "12:01 – 12:40", with days unless both are today, or one time within a minute. */
export function formatMinuteRange(from: Date, to: Date, now: Date): string {
  const start = formatSince(from, now)
  const isSameDay = from.toDateString() === to.toDateString()
  const end = isSameDay ? hour.format(to) : formatSince(to, now)
  return start.endsWith(end) && isSameDay ? start : `${start} – ${end}`
}

function withDay(at: Date, now: Date, time: string): string {
  return at.toDateString() === now.toDateString() ? time : `${day.format(at)}, ${time}`
}

export type BucketStep = 'minute' | 'hour' | 'day'

const stepMs = { minute: 60_000, hour: 3_600_000 }

/** Axis label: "14:00", "14:05", or "15 Nov" for daily buckets and at midnight. */
export function formatTick(start: string, step: BucketStep): string {
  const at = new Date(start)
  if (step === 'day') return utcDay.format(at)
  return at.getHours() === 0 && at.getMinutes() === 0 ? day.format(at) : hour.format(at)
}

/** Time span of a bucket: "Sun 15 Nov, 14:00 to 15:00". */
export function formatSpan(start: string, step: BucketStep): string {
  const at = new Date(start)
  if (step === 'day') return utcWeekday.format(at)
  return `${weekday.format(at)}, ${hour.format(at)} to ${hour.format(new Date(at.getTime() + stepMs[step]))}`
}
