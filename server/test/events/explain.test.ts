/**
 * Tests the explanation of why an event reached a webhook or not, requested after the webhooks have changed. Random histories
 * run against the whole service. The expected verdicts are the actual deliveries and held events at that time.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 240_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true', CALLS_PER_MINUTE: '100000' })
  gateway = await createGateway(hookline)
  receiver = await startReceiver()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

const filters = [
  '',
  '491700000002',
  '4999, +49 170 0000002',
  'cel:data.text == "Hello"',
  'cel:data.text.contains("e") && data.status == "DELIVERED"',
  'cel:has(data.status) && data.status == "DELIVERED"',
  'cel:event.type == "dlr"',
  'cel:int(data.msg_id) > 5',
]

const events = [
  { type: 'sms_mo', data: { id: '1', sender: '4917', system: '491700000002', text: 'Hello', time: '1' } },
  { type: 'sms_mo', data: { id: '2', sender: '4917', system: '00491700000002', text: 'Bye', time: '1' } },
  { type: 'sms_mo', data: { id: '3', sender: '4917', system: '4988', text: 'Hello', time: '1' } },
  { type: 'dlr', data: { msg_id: '7', status: 'DELIVERED', timestamp: '1' } },
  { type: 'dlr', data: { msg_id: 'x', status: 'FAILED', timestamp: '1', text: 'Hello' } },
] as const

const values = fc.record({
  event_type: fc.constantFrom('all', 'sms_mo', 'dlr'),
  event_filter: fc.constantFrom(...filters),
})
/** Selects one of the existing webhooks by index. */
const hookIndex = fc.nat({ max: 5 })
const step = fc.oneof(
  { weight: 3, arbitrary: values.map((input) => ({ action: 'create' as const, fields: input })) },
  {
    weight: 2,
    arbitrary: fc.tuple(hookIndex, values).map(([at, fields]) => ({ action: 'edit' as const, at, fields })),
  },
  { weight: 1, arbitrary: hookIndex.map((at) => ({ action: 'disable' as const, at })) },
  { weight: 1, arbitrary: hookIndex.map((at) => ({ action: 'enable' as const, at })) },
  { weight: 1, arbitrary: hookIndex.map((at) => ({ action: 'delete' as const, at })) },
  { weight: 4, arbitrary: fc.constantFrom(...events).map((event) => ({ action: 'event' as const, event })) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const [inbound] = events
const everyVerdict: Step[] = [
  { action: 'create', fields: { event_type: 'all', event_filter: '' } },
  { action: 'create', fields: { event_type: 'sms_mo', event_filter: '' } },
  { action: 'disable', at: 0 },
  { action: 'event', event: inbound },
  { action: 'create', fields: { event_type: 'dlr', event_filter: '' } },
  { action: 'event', event: inbound },
  { action: 'delete', at: 1 },
  { action: 'event', event: inbound },
]

/** An account with the history of its webhooks. */
interface History {
  account: TestAccount
  alive: number[]
  deleted: Set<number>
  all: Set<number>
  events: string[]
}

async function startHistory(): Promise<History> {
  return { account: await hookline.account(), alive: [], deleted: new Set(), all: new Set(), events: [] }
}

async function applyStep(history: History, input: Step): Promise<void> {
  const { account, alive } = history
  const api = (method: string, path: string, json?: unknown) =>
    call(`${hookline.url}${path}`, { method, key: account.key, ...(json !== undefined && { json }) })
  if (input.action === 'event') {
    const { accepted } = await gateway.submitEvents({ account_id: account.accountId, ...input.event })
    history.events.push(...accepted)
    return
  }
  if (input.action === 'create') {
    const target_url = receiver.url(`/${account.accountId}/${history.all.size}`)
    const created = await api('POST', '/api/hooks', { target_url, ...input.fields })
    expect(created.status).toBe(200)
    alive.push(created.json.id)
    history.all.add(created.json.id)
    return
  }
  const id = alive[input.at % alive.length]
  if (id === undefined) return
  switch (input.action) {
    case 'edit':
      expect((await api('POST', `/api/hooks/${id}`, input.fields)).status).toBe(200)
      return
    case 'disable':
    case 'enable':
      expect((await api('POST', `/api/hooks/${id}/${input.action}`, {})).status).toBe(200)
      return
    case 'delete':
      expect((await api('DELETE', `/api/hooks?id=${id}`)).status).toBe(200)
      alive.splice(alive.indexOf(id), 1)
      history.deleted.add(id)
  }
}

/** Waits until all events are routed and no delivery is pending. Remaining deliveries are held. */
async function untilSettled(accountId: number): Promise<void> {
  await expect
    .poll(
      () =>
        hookline.database.query(
          `SELECT FROM inbox WHERE account_id = $1
           UNION ALL SELECT FROM work WHERE account_id = $1 AND NOT held`,
          [accountId],
        ),
      { timeout: 30_000, interval: 10 },
    )
    .toEqual([])
}

async function readReached(eventId: string): Promise<Map<number, string>> {
  const rows = await hookline.database.query<{ hook_id: number; how: string }>(
    `SELECT hook_id, 'matched' AS how FROM deliveries WHERE event_id = $1
     UNION ALL SELECT hook_id, 'held' FROM work WHERE event_id = $1`,
    [eventId],
  )
  return new Map(rows.map(({ hook_id, how }) => [hook_id, how]))
}

async function readVerdicts({ account }: History, eventId: string): Promise<Map<number, string>> {
  const response = await call(`${hookline.url}/api/events/${eventId}`, { key: account.key })
  expect(response.status).toBe(200)
  return new Map(
    response.json.hooks.map((hook: { hook_id: number; verdict: string }) => [hook.hook_id, hook.verdict]),
  )
}

test('each verdict matches the actual delivery, hold or mismatch, regardless of later changes to webhooks', async () => {
  let compared = 0
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (steps) => {
      const history = await startHistory()
      const expectedByEvent = new Map<string, Map<number, string>>()
      for (const input of steps) {
        await applyStep(history, input)
        await untilSettled(history.account.accountId)
        const event = history.events.at(-1)
        if (input.action !== 'event' || event === undefined) continue
        const reached = await readReached(event)
        const alive = new Set(history.alive)
        expectedByEvent.set(
          event,
          new Map(
            [...history.all].map((id) => [
              id,
              reached.get(id) ?? (alive.has(id) ? 'not_matched' : 'deleted_before'),
            ]),
          ),
        )
      }
      for (const [event, expected] of expectedByEvent) {
        const explained = await readVerdicts(history, event)
        const all = [...history.all].map((id) => [id, expected.get(id) ?? 'created_later'] as const)
        expect([...explained].toSorted(byId)).toEqual(all.toSorted(byId))
        for (const [, verdict] of all) seen.add(verdict)
        compared += all.length
      }
    }),
    // The first history has every verdict, so that all of them are always covered.
    { numRuns: 20, examples: [[everyVerdict]] },
  )
  expect(compared).toBeGreaterThan(100)
  expect([...seen].toSorted()).toEqual(['created_later', 'deleted_before', 'held', 'matched', 'not_matched'])
})

test('events routed while webhooks change are explained by the versions that routed them', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 24 }), async (steps) => {
      const history = await startHistory()
      const submissions: Array<Promise<void>> = []
      for (const input of steps) {
        const applying = applyStep(history, input)
        if (input.action === 'event') submissions.push(applying)
        else await applying
      }
      await Promise.all(submissions)
      await untilSettled(history.account.accountId)
      for (const event of history.events) {
        const reached = await readReached(event)
        const explained = await readVerdicts(history, event)
        const delivered = [...explained].filter(([, verdict]) => verdict === 'matched' || verdict === 'held')
        expect(new Set(delivered.map(([id]) => id))).toEqual(new Set(reached.keys()))
        compared += explained.size
      }
    }),
    { numRuns: 20 },
  )
  expect(compared).toBeGreaterThan(100)
})

function byId([one]: readonly [number, string], [other]: readonly [number, string]): number {
  return one - other
}
