/** Scenarios: a noisy neighbor beside healthy accounts. */
import type { Behavior } from './receiver-commands.ts'

export interface Scenario {
  name: string
  description: string
  healthy: Healthy
  noisy?: NoisySpec
  /** Number of retries of other accounts that are due in hours. */
  retries?: number
  /** Bursts in each run: `events` submitted at once, `times` times. Their throughput is compared. */
  burst?: { events: number; times: number }
}

/** Accounts with one hook each, spread over the hosts. Their receivers respond immediately. */
interface Healthy {
  accounts: number
  hosts: number
  ratePerSecond: number
}

/** Accounts with one hook each, spread over the hosts. */
export interface NoisySpec {
  accounts: number
  hosts: number
  ratePerSecond: number
  /** `black-hole`: connections are never completed. */
  behavior: Behavior | 'black-hole'
}

const healthy: Healthy = { accounts: 20, hosts: 20, ratePerSecond: 100 }

export const scenarios: readonly Scenario[] = [
  {
    name: 'greedy-account',
    description: 'one account has 90% of the load; its receiver responds after 10 s',
    healthy: { ...healthy, ratePerSecond: 50 },
    noisy: { accounts: 1, hosts: 1, ratePerSecond: 450, behavior: { status: 204, afterMs: 10_000 } },
  },
  {
    name: 'slow-host',
    description: '2,000 webhooks of 2,000 accounts on one host that responds after 5 s',
    healthy,
    noisy: { accounts: 2_000, hosts: 1, ratePerSecond: 200, behavior: { status: 204, afterMs: 5_000 } },
  },
  {
    name: 'slow-success',
    description: '500 receivers on 500 hosts that succeed after 14 s',
    healthy,
    noisy: { accounts: 500, hosts: 500, ratePerSecond: 100, behavior: { status: 204, afterMs: 14_000 } },
  },
  {
    name: 'dead-host',
    description: '20 webhooks on a host that accepts requests and never responds',
    healthy,
    noisy: { accounts: 20, hosts: 1, ratePerSecond: 100, behavior: 'never' },
  },
  {
    name: 'dead-connect',
    description: '20 webhooks on a host where connections hang',
    healthy,
    noisy: { accounts: 20, hosts: 1, ratePerSecond: 100, behavior: 'black-hole' },
  },
  {
    name: 'pending-retries',
    description: 'retries that are due in hours',
    healthy: { accounts: 200, hosts: 20, ratePerSecond: 200 },
    retries: 1_000_000,
    burst: { events: 20_000, times: 3 },
  },
]

/** Reduces a scenario for a smoke run, which checks the proof itself and finds only gross violations. */
export function toSmokeScenario(scenario: Scenario): Scenario {
  return {
    ...scenario,
    ...(scenario.retries && { retries: 20_000 }),
    ...(scenario.burst && { burst: { events: 2_000, times: 1 } }),
  }
}
