/** Calls that change, test or replay webhooks. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Activity } from '../activity.ts'
import { randomItem, type Tenant } from '../tenant.ts'
import { maxHook } from '../hostile-hooks.ts'
import { worstFilters } from '../worst-filters.ts'
import { randomEvent, randomHook } from './reads.ts'

const maxReplayRate = 1_000
const maxReplayIds = 50

export const changeActivities: readonly Activity[] = [
  {
    name: 'edits',
    description: 'changes of filter, URL or method',
    perSecond: 10,
    call: (tenant, count) => post(tenant, `/api/hooks/${randomHook(tenant)}`, editOf(tenant, count)),
  },
  {
    name: 'enable-disable',
    description: 'webhooks that are disabled and enabled',
    perSecond: 5,
    call: (tenant, count) =>
      post(
        tenant,
        `/api/hooks/${tenant.hookIds[(count >> 1) % 50]}/${count % 2 === 0 ? 'disable' : 'enable'}`,
      ),
  },
  {
    name: 'create-delete',
    description: 'webhooks that are registered and deleted immediately',
    perSecond: 5,
    async call(tenant, count) {
      const form = maxHook(tenant, tenant.hooks + count)
      const { status, body } = await tenant.send({ method: 'POST', path: '/api/hooks', form })
      if (body?.success === true)
        await tenant.send({ method: 'DELETE', path: '/api/hooks', form: { id: String(body.id) } })
      return status
    },
  },
  {
    name: 'test-events',
    description: 'test events',
    perSecond: 10,
    call: (tenant) => post(tenant, `/api/hooks/${randomHook(tenant)}/test`, {}),
  },
  {
    name: 'backtest-filter',
    description: 'backtests of the most expensive filters on the largest events',
    perSecond: 10,
    call: (tenant, count) =>
      post(tenant, '/api/hooks/backtest-filter', {
        event_type: 'all',
        event_filter: worstFilters[count % worstFilters.length],
        hook_id: randomHook(tenant),
      }),
  },
  {
    name: 'previews',
    description: 'previews with values of maximum length',
    perSecond: 10,
    call: (tenant, count) => post(tenant, '/api/hooks/preview', maxHook(tenant, count)),
  },
  {
    name: 'replays',
    description: 'replays of all events, counted, started and canceled',
    perSecond: 5,
    call: replay,
  },
]

function editOf(tenant: Tenant, count: number): object {
  switch (count % 3) {
    case 0:
      return { event_filter: worstFilters[count % worstFilters.length] ?? null }
    case 1:
      return { target_url: `${randomItem(tenant.receiverUrls)}/edited-${count}` }
    default:
      return { request_method: ['POST', 'GET', 'JSON'][(count >> 2) % 3] }
  }
}

async function replay(tenant: Tenant, count: number): Promise<string> {
  const { replayIds } = tenant
  const selections = [
    { search: { state: 'failed' } },
    { search: { state: 'delivered' } },
    { search: {} },
    { events: Array.from({ length: 1_000 }, () => randomEvent(tenant)) },
  ]
  const selection = selections[count % selections.length]
  if (count % 2 === 0) return post(tenant, '/api/replays/count', { selection })
  const { status, body } = await tenant.send({
    method: 'POST',
    path: '/api/replays',
    json: { selection, max_per_second: maxReplayRate },
  })
  if (body?.replay !== undefined) replayIds.push(body.replay.id)
  else if (replayIds.length > 0) await post(tenant, `/api/replays/${replayIds.shift()}/cancel`)
  replayIds.splice(0, Math.max(0, replayIds.length - maxReplayIds))
  await sleep(0)
  return status
}

async function post(tenant: Tenant, path: string, json: object = {}): Promise<string> {
  return (await tenant.send({ method: 'POST', path, json })).status
}
