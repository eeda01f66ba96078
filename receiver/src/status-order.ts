/** The order of statuses: by their time, and those of one time by how final they are. */

/** From the first to the most final. With a place for each, all processes keep the same of two statuses of one time. */
const byFinality = [
  'UNKNOWN',
  'ACCEPTED',
  'TRANSMITTED',
  'BUFFERED',
  'IN-PROGRESS',
  // Any other.
  '',
  'REJECTED',
  'EXPIRED',
  'FAILED',
  'NOTDELIVERED',
  'COMPLETED',
  'DELIVERED',
  'READ',
]

/** Returns a text that sorts. Of the times, the first one that can be read counts. */
export function orderOf(status: string, times: readonly unknown[]): string {
  const time = times.map(sortableTime).find((sortable) => sortable !== undefined) ?? pad()
  const index = byFinality.indexOf(status.toUpperCase())
  return `${time}${String(index === -1 ? byFinality.indexOf('') : index).padStart(2, '0')}`
}

/** Reads Unix seconds, and dates. A date without a zone is in UTC. */
function sortableTime(time: unknown): string | undefined {
  const unix = /^(\d{1,12})(?:\.(\d+))?$/.exec(String(time))
  if (unix) return pad(unix[1], unix[2])
  const date = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?$/.exec(String(time))
  const seconds = date ? Date.parse(`${date[1]}T${date[2]}${date[4] ?? 'Z'}`) / 1_000 : -1
  return seconds >= 0 ? pad(String(seconds), date?.[3]) : undefined
}

/** Returns microseconds of a fixed length. */
function pad(seconds = '', fraction = ''): string {
  return seconds.padStart(12, '0') + fraction.slice(0, 6).padEnd(6, '0')
}
