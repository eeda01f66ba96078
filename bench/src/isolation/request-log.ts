/**
 * What receivers saw, in columns: some forty bytes a request, so that a run of many minutes stays small and goes from one
 * process to the other as it is.
 */
export interface RequestColumns {
  count: number
  /** Ids of events, 16 bytes each. */
  ids: Uint8Array
  hooks: Int32Array
  /** Place of the host in the receivers' list. */
  hosts: Int16Array
  arrivedAt: Float64Array
  /** When it was answered or cut off; 0: it is still open. */
  endedAt: Float64Array
  /** 0: not answered. */
  statuses: Int16Array
  /** Requests open at its arrival, itself included: those of the same hook, those at the same host. */
  openOfHook: Int16Array
  openOfHost: Int16Array
}

export interface RequestLog {
  /** Answers the request's place, for `ended`. */
  arrived: (eventId: string, hookId: number, host: number) => number
  ended: (place: number, status: number) => void
  columns: () => RequestColumns
}

export function createRequestLog(): RequestLog {
  const open = { byHook: new Map<number, number>(), byHost: new Map<number, number>() }
  let all = emptyColumns(1 << 12)
  return {
    arrived(eventId, hookId, host) {
      if (all.count === all.hooks.length) all = enlarged(all)
      const place = all.count++
      all.ids.set(Buffer.from(eventId.replaceAll('-', ''), 'hex'), place * 16)
      all.hooks[place] = hookId
      all.hosts[place] = host
      all.arrivedAt[place] = Date.now()
      all.openOfHook[place] = change(open.byHook, hookId, 1)
      all.openOfHost[place] = change(open.byHost, host, 1)
      return place
    },
    ended(place, status) {
      all.endedAt[place] = Date.now()
      all.statuses[place] = status
      change(open.byHook, all.hooks[place] ?? 0, -1)
      change(open.byHost, all.hosts[place] ?? 0, -1)
    },
    columns: () => resized(all, all.count),
  }
}

function change(counts: Map<number, number>, key: number, by: number): number {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
  return count
}

function emptyColumns(size: number): RequestColumns {
  return {
    count: 0,
    ids: new Uint8Array(size * 16),
    hooks: new Int32Array(size),
    hosts: new Int16Array(size),
    arrivedAt: new Float64Array(size),
    endedAt: new Float64Array(size),
    statuses: new Int16Array(size),
    openOfHook: new Int16Array(size),
    openOfHost: new Int16Array(size),
  }
}

function enlarged(old: RequestColumns): RequestColumns {
  return resized(old, old.hooks.length * 2)
}

function resized(old: RequestColumns, size: number): RequestColumns {
  const columns = emptyColumns(size)
  const kept = Math.min(old.count, size)
  columns.count = kept
  columns.ids.set(old.ids.subarray(0, kept * 16))
  columns.hooks.set(old.hooks.subarray(0, kept))
  columns.hosts.set(old.hosts.subarray(0, kept))
  columns.arrivedAt.set(old.arrivedAt.subarray(0, kept))
  columns.endedAt.set(old.endedAt.subarray(0, kept))
  columns.statuses.set(old.statuses.subarray(0, kept))
  columns.openOfHook.set(old.openOfHook.subarray(0, kept))
  columns.openOfHost.set(old.openOfHost.subarray(0, kept))
  return columns
}

export function eventIdAt({ ids }: RequestColumns, place: number): string {
  const hex = Buffer.from(ids.buffer, ids.byteOffset + place * 16, 16).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** An event's id begins with the millisecond of its acceptance, by the database's clock. */
export function acceptedAt(eventId: string): number {
  return Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16)
}
