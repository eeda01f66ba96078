/**
 * Tracks whether the resolver works, and so who caused a failed lookup. A name that does not exist, or whose own
 * servers fail, is the receiver's fault. A resolver that does not respond is a service fault. They are distinguished
 * as follows:
 * - a response about any name within ten seconds: the resolver works;
 * - otherwise a probe asks for a name that is not cached and that no account controls.
 * The number of failing names says nothing: one account can register any number of dead names, and must not make the
 * resolver look down for others.
 */
export type LookupResult = 'found' | 'not_found' | 'server_failure' | 'timeout' | 'refused'

interface HealthOptions {
  now: () => number
  /** Looks up a name that every working resolver can answer. */
  probe: () => Promise<boolean>
  onChange: (isDown: boolean) => void
}

export interface ResolverHealth {
  /** Called before a lookup, so a probe that may be needed runs in parallel. */
  prepare: () => void
  record: (result: LookupResult) => void
  /** Whether a failed lookup is a service fault. */
  isServiceFault: () => Promise<boolean>
  /** Also probes for recovery, so it must be called regularly. */
  isDown: () => boolean
  /** Whether another lookup is allowed: few while the resolver is down. */
  isLookupAllowed: () => boolean
}

const recentMs = 10_000
const probeEveryMs = 1_000
const maxLookupsPerSecondWhileDown = 10

export function createResolverHealth({ now, probe, onChange }: HealthOptions): ResolverHealth {
  let respondedAt = Number.NEGATIVE_INFINITY
  let lastProbe: { endedAt: number; hasResponded: Promise<boolean> } | undefined
  let isProbeFailing = false
  let wasDown = false
  let lookupsInSecond = { second: 0, lookups: 0 }

  const hasRecentResponse = (): boolean => now() - respondedAt < recentMs

  /** Shares a running or recent probe: each probe of a silent resolver takes seconds. */
  function probeOnce(): Promise<boolean> {
    if (lastProbe !== undefined && now() - lastProbe.endedAt < probeEveryMs) return lastProbe.hasResponded
    const current = {
      endedAt: Number.POSITIVE_INFINITY,
      hasResponded: probe().then((isAlive) => {
        current.endedAt = now()
        isProbeFailing = !isAlive && !hasRecentResponse()
        return isAlive
      }),
    }
    lastProbe = current
    return current.hasResponded
  }

  function isDown(): boolean {
    if (isProbeFailing) void probeOnce()
    if (isProbeFailing !== wasDown) {
      wasDown = isProbeFailing
      onChange(wasDown)
    }
    return wasDown
  }

  return {
    prepare() {
      if (!hasRecentResponse()) void probeOnce()
    },
    record(result) {
      if (result !== 'found' && result !== 'not_found') return
      respondedAt = now()
      isProbeFailing = false
    },
    async isServiceFault() {
      return !hasRecentResponse() && !(await probeOnce()) && !hasRecentResponse()
    },
    isDown,
    isLookupAllowed() {
      if (!isDown()) return true
      const second = Math.floor(now() / 1_000)
      if (lookupsInSecond.second !== second) lookupsInSecond = { second, lookups: 0 }
      return lookupsInSecond.lookups++ < maxLookupsPerSecondWhileDown
    },
  }
}
