/** What an operator can stop, and which stop concerns a hook. Pure. */

export type StopTarget =
  | { scope: 'all' }
  | { scope: 'account'; accountId: number }
  | { scope: 'hook'; accountId: number; hookId: number }
  /** With or without a port; without one, every port of it. */
  | { scope: 'host'; host: string }

export interface Stop {
  id: number
  scope: StopTarget['scope']
  accountId: number | null
  hookId: number | null
  host: string | null
  /** Shown to owners. */
  reason: string
  isSuspension: boolean
  createdAt: Date
}

/** What owners read. The reason is the operator's own text. */
export function describeStop(reason: string): string {
  return `Deliveries are stopped by the operator: ${reason.replace(/([^.!?])$/, '$1.')}`
}

interface StopIndex {
  /** The widest stop that concerns a hook. */
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

/** A host as webhooks have it, with its port unless that is the usual one; undefined: it is none. */
export function readHostOf(text: string): string | undefined {
  const url = URL.parse(`https://${text.trim()}`)
  return url === null || url.host === '' || url.href !== `https://${url.host}/` ? undefined : url.host
}

function keyOf({ scope, accountId, hookId, host }: Stop): string {
  if (scope === 'account') return `account ${accountId}`
  if (scope === 'hook') return `hook ${accountId} ${hookId}`
  return scope === 'host' ? `host ${host}` : 'all'
}

/** Without the port; an IPv6 address keeps its brackets. */
function hostname(host: string): string {
  return host.replace(/:\d+$/, '')
}
