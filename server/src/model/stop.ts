/** Targets of stops, and which stop applies to a hook. Pure. */

export type StopTarget =
  | { scope: 'all' }
  | { scope: 'account'; accountId: number }
  | { scope: 'hook'; accountId: number; hookId: number }
  /** With or without a port; without one, all ports. */
  | { scope: 'host'; host: string }

export interface Stop {
  id: number
  scope: StopTarget['scope']
  accountId: number | null
  hookId: number | null
  host: string | null
  /** Shown to the account. */
  reason: string
  isSuspension: boolean
  createdAt: Date
}

/** Describes a stop for the account. The reason is the operator's text. */
export function describeStop(reason: string): string {
  return `Deliveries are stopped by the operator: ${reason.replace(/([^.!?])$/, '$1.')}`
}

interface StopIndex {
  /** Returns the widest stop that applies to a hook. */
  find: (accountId: number, hook: { id: number; host: string }) => Stop | undefined
}

export function indexStops(stops: readonly Stop[]): StopIndex {
  const byKey = new Map(stops.map((stop) => [keyOf(stop), stop]))
  if (byKey.size === 0) return { find: () => undefined }
  return {
    find(accountId, { id: hookId, host }) {
      for (const key of [
        'all',
        `account ${accountId}`,
        `host ${hostname(host)}`,
        `host ${host}`,
        `hook ${accountId} ${hookId}`,
      ]) {
        const stop = byKey.get(key)
        if (stop !== undefined) return stop
      }
      return undefined
    },
  }
}

/** Returns a host in the form of hook URLs, without a default port; undefined if it is invalid. */
export function parseHost(text: string): string | undefined {
  const url = URL.parse(`https://${text.trim()}`)
  return url === null || url.host === '' || url.href !== `https://${url.host}/` ? undefined : url.host
}

function keyOf({ scope, accountId, hookId, host }: Stop): string {
  if (scope === 'account') return `account ${accountId}`
  if (scope === 'hook') return `hook ${accountId} ${hookId}`
  return scope === 'host' ? `host ${host}` : 'all'
}

/** Removes the port. An IPv6 address keeps its brackets. */
function hostname(host: string): string {
  return host.replace(/:\d+$/, '')
}
