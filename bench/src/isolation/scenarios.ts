/** Who makes trouble, and how much; the healthy beside them are always the same. */
import type { Behaviour } from './receiver-orders.ts'

export interface Scenario {
  name: string
  /** What the troublemaker does, in a few words. */
  what: string
  healthy: Healthy
  trouble?: Trouble
  /** Retries that wait for hours, in hooks of others. */
  parked?: number
  /** Events handed in at once, so often in each turn; how soon all have arrived is compared. */
  burst?: { events: number; times: number }
}

/** Receivers that answer at once: one account with one hook each, spread over the hosts. */
interface Healthy {
  accounts: number
  hosts: number
  ratePerSecond: number
}

/** One account with one hook each, spread over the hosts. */
export interface Trouble {
  accounts: number
  hosts: number
  ratePerSecond: number
  /** `deaf`: no connection to it is ever completed. */
  behaviour: Behaviour | 'deaf'
}

const healthy: Healthy = { accounts: 20, hosts: 20, ratePerSecond: 100 }

export const scenarios: readonly Scenario[] = [
  {
    name: 'greedy-account',
    what: 'one account has nine tenths of the load, its receiver answers after 10 s',
    healthy: { ...healthy, ratePerSecond: 50 },
    trouble: { accounts: 1, hosts: 1, ratePerSecond: 450, behaviour: { status: 204, afterMs: 10_000 } },
  },
  {
    name: 'slow-host',
    what: '2,000 webhooks of as many accounts on one host that answers after 5 s',
    healthy,
    trouble: { accounts: 2_000, hosts: 1, ratePerSecond: 200, behaviour: { status: 204, afterMs: 5_000 } },
  },
  {
    name: 'slow-success',
    what: '500 receivers, each a host, that succeed after 14 s',
    healthy,
    trouble: { accounts: 500, hosts: 500, ratePerSecond: 100, behaviour: { status: 204, afterMs: 14_000 } },
  },
  {
    name: 'dead-host',
    what: '20 webhooks on a host that takes requests and never answers',
    healthy,
    trouble: { accounts: 20, hosts: 1, ratePerSecond: 100, behaviour: 'never' },
  },
  {
    name: 'dead-connect',
    what: '20 webhooks on a host where connecting hangs',
    healthy,
    trouble: { accounts: 20, hosts: 1, ratePerSecond: 100, behaviour: 'deaf' },
  },
  {
    name: 'parked-retries',
    what: 'retries parked for hours',
    healthy: { accounts: 200, hosts: 20, ratePerSecond: 200 },
    parked: 1_000_000,
    burst: { events: 20_000, times: 3 },
  },
]

/** The same in small: it shows that the instrument works and finds what is grossly wrong, not more. */
export function small(scenario: Scenario): Scenario {
  return {
    ...scenario,
    ...(scenario.parked && { parked: 20_000 }),
    ...(scenario.burst && { burst: { events: 2_000, times: 1 } }),
  }
}
