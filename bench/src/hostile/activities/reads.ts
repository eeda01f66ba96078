/** Read-only calls that are expensive for the service. */
import type { Activity } from '../activity.ts'
import { randomItem, type Tenant } from '../tenant.ts'

const searches = [
  'q=491700000001',
  'q=nothing-has-this-text',
  'number=491700000001&state=failed',
  'state=failed&status=500',
  'state=delivered&reason=timeout',
  'status=999',
  'reason=no_such_reason',
  'type=voice_dtmf&state=cancelled',
  'foreign_id=nobody&from=2020-01-01T00:00:00Z',
  `q=${'9'.repeat(256)}`,
]
const pages = [
  '/api/overview',
  '/api/hooks/health',
  '/api/audit',
  '/api/replays',
  '/openapi.json',
  '/docs',
  '/no-such-page',
]

export const readActivities: readonly Activity[] = [
  {
    name: 'list',
    description: 'lists of all webhooks with values of maximum length',
    perSecond: 10,
    call: (tenant) => get(tenant, '/api/hooks'),
  },
  {
    name: 'searches',
    description: 'searches with no results or many',
    perSecond: 20,
    call: (tenant, count) => get(tenant, `/api/events?${searches[count % searches.length]}&limit=100`),
  },
  {
    name: 'explain',
    description: 'events with all deliveries and attempts',
    perSecond: 10,
    call: (tenant) => get(tenant, `/api/events/${randomEvent(tenant)}?reveal=true`),
  },
  {
    name: 'curl',
    description: 'events as curl commands',
    perSecond: 10,
    async call(tenant) {
      const json = { hook_id: randomHook(tenant) }
      return (await tenant.send({ method: 'POST', path: `/api/events/${randomEvent(tenant)}/curl`, json }))
        .status
    },
  },
  {
    name: 'attempts',
    description: 'attempts, stats and secrets of single webhooks',
    perSecond: 10,
    call: (tenant, count) =>
      get(tenant, `/api/hooks/${randomHook(tenant)}/${['attempts', 'stats', 'secret'][count % 3]}`),
  },
  {
    name: 'pages',
    description: 'overview, health, audit, reference and unknown pages',
    perSecond: 10,
    call: (tenant, count) => get(tenant, pages[count % pages.length] ?? ''),
  },
]

export function randomHook({ hookIds }: Tenant): number {
  return randomItem(hookIds) ?? 1
}

export function randomEvent({ eventIds }: Tenant): string {
  return randomItem(eventIds) ?? '00000000-0000-7000-8000-000000000000'
}

async function get(tenant: Tenant, path: string): Promise<string> {
  return (await tenant.send({ path })).status
}
