/**
 * Whether our resolver works, and so whose fault a failed lookup is. A name that does not exist, or whose own servers fail,
 * is the receiver's; a resolver that does not answer is ours. Told apart by what else it answers:
 *   - an answer about any name within ten seconds: the resolver works;
 *   - otherwise it is asked for a name that it cannot have in memory and that no customer controls.
 * The number of names that fail says nothing: one account can register as many dead names as it likes, and must not be able
 * to make the resolver look down for everybody.
 */
export type LookupResult = 'found' | 'not_found' | 'server_failure' | 'timeout' | 'refused'

interface HealthOptions {
  now: () => number
  /** Asks for something that every working resolver can answer. */
  probe: () => Promise<boolean>
  onChange: (isDown: boolean) => void
}

export interface ResolverHealth {
  /** Called before a lookup, so that a probe that may be needed runs beside it. */
  prepare: () => void
  note: (result: LookupResult) => void
  /** Whose fault a failed lookup is. */
  isOurs: () => Promise<boolean>
  /** Also looks whether it is back, so it must be asked from time to time. */
  isDown: () => boolean
  /** Whether one more lookup may be made: few while the resolver is down. */
  mayAsk: () => boolean
}

const recentMs = 10_000
const probeEveryMs = 1_000
const maxLookupsPerSecondWhileDown = 10

export function createResolverHealth({ now, probe, onChange }: HealthOptions): ResolverHealth {
  let answeredAt = Number.NEGATIVE_INFINITY
  let lastProbe: { endedAt: number; isAnswered: Promise<boolean> } | undefined
  let isProbeFailing = false
  let wasDown = false
  let asked = { second: 0, lookups: 0 }

  const hasRecentAnswer = (): boolean => now() - answeredAt < recentMs

  /** One that runs, or has just ended, answers for all: a silent resolver lets each of them wait for seconds. */
  function probeOnce(): Promise<boolean> {
    if (lastProbe !== undefined && now() - lastProbe.endedAt < probeEveryMs) return lastProbe.isAnswered
    const current = {
      endedAt: Number.POSITIVE_INFINITY,
      isAnswered: probe().then((isAlive) => {
        current.endedAt = now()
        isProbeFailing = !isAlive && !hasRecentAnswer()
        return isAlive
      }),
    }
    lastProbe = current
    return current.isAnswered
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
      if (!hasRecentAnswer()) void probeOnce()
    },
    note(result) {
      if (result !== 'found' && result !== 'not_found') return
      answeredAt = now()
      isProbeFailing = false
    },
    async isOurs() {
      return !hasRecentAnswer() && !(await probeOnce()) && !hasRecentAnswer()
    },
    isDown,
    mayAsk() {
      if (!isDown()) return true
      const second = Math.floor(now() / 1_000)
      if (asked.second !== second) asked = { second, lookups: 0 }
      return asked.lookups++ < maxLookupsPerSecondWhileDown
    },
  }
}
