/** A time in a sentence: `12:05:00 UTC`, with the date if it is another day. */
export function clockTime(at: Date, now: Date): string {
  const [day, time] = at.toISOString().split('T')
  const clock = `${time?.slice(0, 8)} UTC`
  return day === now.toISOString().slice(0, 10) ? clock : `${day} ${clock}`
}
