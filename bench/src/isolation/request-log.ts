/**
 * Stores received requests in columns. A request takes about 40 bytes, so a long run stays small and typed arrays can
 * be sent between processes without conversion.
 */
export interface RequestColumns {
  count: number
  /** Ids of events, 16 bytes each. */
  ids: Uint8Array
  hooks: Int32Array
  /** Index of the host. */
  hosts: Int16Array
  arrivedAt: Float64Array
  /** Time of the response or disconnect, 0 while the request is in flight. */
  endedAt: Float64Array
  /** 0 without a response. */
  statuses: Int16Array
  /** Requests in flight at arrival, including this one: of the same hook, and at the same host. */
  openPerHook: Int16Array
  openPerHost: Int16Array
}

export interface RequestLog {
  /** Returns the index of the request, for `ended`. */
  arrived: (eventId: string, hookId: number, host: number) => number
  ended: (index: number, status: number) => void
  columns: () => RequestColumns
}

export function createRequestLog(): RequestLog {
  const open = { byHook: new Map<number, number>(), byHost: new Map<number, number>() }
  let all = emptyColumns(1 << 12)
  return {
    arrived(eventId, hookId, host) {
      if (all.count === all.hooks.length) all = enlarged(all)
      const index = all.count++
      all.ids.set(Buffer.from(eventId.replaceAll('-', ''), 'hex'), index * 16)
      all.hooks[index] = hookId
      all.hosts[index] = host
      all.arrivedAt[index] = Date.now()
      all.openPerHook[index] = change(open.byHook, hookId, 1)
      all.openPerHost[index] = change(open.byHost, host, 1)
      return index
    },
    ended(index, status) {
      all.endedAt[index] = Date.now()
      all.statuses[index] = status
      change(open.byHook, all.hooks[index] ?? 0, -1)
      change(open.byHost, all.hosts[index] ?? 0, -1)
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
    openPerHook: new Int16Array(size),
    openPerHost: new Int16Array(size),
  }
}

function enlarged(old: RequestColumns): RequestColumns {
  return resized(old, old.hooks.length * 2)
}

function resized(old: RequestColumns, size: number): RequestColumns {
  const columns = emptyColumns(size)
  const count = Math.min(old.count, size)
  columns.count = count
  columns.ids.set(old.ids.subarray(0, count * 16))
  columns.hooks.set(old.hooks.subarray(0, count))
  columns.hosts.set(old.hosts.subarray(0, count))
  columns.arrivedAt.set(old.arrivedAt.subarray(0, count))
  columns.endedAt.set(old.endedAt.subarray(0, count))
  columns.statuses.set(old.statuses.subarray(0, count))
  columns.openPerHook.set(old.openPerHook.subarray(0, count))
  columns.openPerHost.set(old.openPerHost.subarray(0, count))
  return columns
}

export function eventIdAt({ ids }: RequestColumns, index: number): string {
  const hex = Buffer.from(ids.buffer, ids.byteOffset + index * 16, 16).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Returns the acceptance time from the event id. The database clock sets it. */
export function acceptedAt(eventId: string): number {
  return Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16)
}
