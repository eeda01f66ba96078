/** Formats times for sentences. */

/** `2026-11-15 12:05:00 UTC` */
export function instant(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** Omits the date if it is today. */
export function formatTime(at: Date, now: Date): string {
  const [whole, today] = [instant(at), instant(now).slice(0, 11)]
  return whole.startsWith(today) ? whole.slice(today.length) : whole
}
