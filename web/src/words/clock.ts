/** Times, and what a range covers, in the reader's own time zone; but days of figures are days of UTC. */
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
const dayOfUtc = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const weekdayOfUtc = new Intl.DateTimeFormat('en-GB', { ...weekdayParts, timeZone: 'UTC' })
const second = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** "12:00:01.204" */
export function clockTime(at: Date): string {
  return clock.format(at)
}

/** "15 Nov" */
export function dayOf(at: Date): string {
  return day.format(at)
}

/** "15 Nov 2026, 12:00" */
export function minuteOf(at: Date): string {
  return full.format(at)
}

/** "09:14", or "14 Nov, 09:14" of another day. */
export function sinceWords(at: Date, now: Date): string {
  return ofDay(at, now, hour.format(at))
}

/** "09:14:05", or "14 Nov, 09:14:05" of another day. */
export function secondWords(at: Date, now: Date): string {
  return ofDay(at, now, second.format(at))
}

function ofDay(at: Date, now: Date, words: string): string {
  return at.toDateString() === now.toDateString() ? words : `${day.format(at)}, ${words}`
}

export type BucketStep = 'hour' | 'day'

/** On an axis: "14:00", or "15 Nov" where a day begins or is meant. */
export function tickWords(start: string, step: BucketStep): string {
  const at = new Date(start)
  if (step === 'day') return dayOfUtc.format(at)
  return at.getHours() === 0 && at.getMinutes() === 0 ? day.format(at) : hour.format(at)
}

/** What a bar or point covers: "Sun, 15 Nov, 14:00 to 15:00". */
export function spanWords(start: string, step: BucketStep): string {
  const at = new Date(start)
  if (step === 'day') return weekdayOfUtc.format(at)
  return `${weekday.format(at)}, ${hour.format(at)} to ${hour.format(new Date(at.getTime() + 3_600_000))}`
}
