/** Calls that only read, chosen for what they make the service look at and write down. */
import type { Activity } from '../activity.ts'
import { anyOf, type Tenant } from '../tenant.ts'

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
    what: 'lists of all its webhooks with their longest values',
    perSecond: 10,
    call: (tenant) => get(tenant, '/api/hooks'),
  },
  {
    name: 'searches',
    what: 'searches that find nothing or much',
    perSecond: 20,
    call: (tenant, count) => get(tenant, `/api/events?${searches[count % searches.length]}&limit=100`),
  },
  {
    name: 'explain',
    what: 'what became of an event, with all webhooks and attempts',
    perSecond: 10,
    call: (tenant) => get(tenant, `/api/events/${anyEvent(tenant)}?reveal=true`),
  },
  {
    name: 'curl',
    what: 'events as curl lines',
    perSecond: 10,
    async call(tenant) {
      const json = { hook_id: anyHook(tenant) }
      return (await tenant.send({ method: 'POST', path: `/api/events/${anyEvent(tenant)}/curl`, json }))
        .status
    },
  },
  {
    name: 'attempts',
    what: 'attempts, stats and secrets of single webhooks',
    perSecond: 10,
    call: (tenant, count) =>
      get(tenant, `/api/hooks/${anyHook(tenant)}/${['attempts', 'stats', 'secret'][count % 3]}`),
  },
  {
    name: 'pages',
    what: 'overview, health, audit, reference and pages that are not there',
    perSecond: 10,
    call: (tenant, count) => get(tenant, pages[count % pages.length] ?? ''),
  },
]

export function anyHook({ hookIds }: Tenant): number {
  return anyOf(hookIds) ?? 1
}

export function anyEvent({ eventIds }: Tenant): string {
  return anyOf(eventIds) ?? '00000000-0000-7000-8000-000000000000'
}

async function get(tenant: Tenant, path: string): Promise<string> {
  return (await tenant.send({ path })).status
}
