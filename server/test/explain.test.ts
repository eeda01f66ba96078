/**
 * Why an event reached a webhook or did not, asked long after the webhooks have changed. Random histories run against the
 * whole service; what is true is what was really delivered or held at the time.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { call } from './call.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

vi.setConfig({ testTimeout: 240_000 })

let world: TestWorld
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true', CALLS_PER_MINUTE: '100000' })
  gateway = await createGateway(world)
  receiver = await startReceiver()
})
afterAll(async () => {
  await world.close()
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
/** Of the webhooks that there are, the one at this place. */
const which = fc.nat({ max: 5 })
const step = fc.oneof(
  { weight: 3, arbitrary: values.map((given) => ({ act: 'create' as const, given })) },
  {
    weight: 2,
    arbitrary: fc.tuple(which, values).map(([at, given]) => ({ act: 'edit' as const, at, given })),
  },
  { weight: 1, arbitrary: which.map((at) => ({ act: 'disable' as const, at })) },
  { weight: 1, arbitrary: which.map((at) => ({ act: 'enable' as const, at })) },
  { weight: 1, arbitrary: which.map((at) => ({ act: 'delete' as const, at })) },
  { weight: 4, arbitrary: fc.constantFrom(...events).map((event) => ({ act: 'event' as const, event })) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const [inbound] = events
const everyVerdict: Step[] = [
  { act: 'create', given: { event_type: 'all', event_filter: '' } },
  { act: 'create', given: { event_type: 'sms_mo', event_filter: '' } },
  { act: 'disable', at: 0 },
  { act: 'event', event: inbound },
  { act: 'create', given: { event_type: 'dlr', event_filter: '' } },
  { act: 'event', event: inbound },
  { act: 'delete', at: 1 },
  { act: 'event', event: inbound },
]

/** An account whose history is made, with what is known of its webhooks. */
interface Story {
  account: TestAccount
  alive: number[]
  deleted: Set<number>
  all: Set<number>
  events: string[]
}

async function begin(): Promise<Story> {
  return { account: await world.account(), alive: [], deleted: new Set(), all: new Set(), events: [] }
}

async function take(story: Story, given: Step): Promise<void> {
  const { account, alive } = story
  const api = (method: string, path: string, json?: unknown) =>
    call(`${world.url}${path}`, { method, key: account.key, ...(json !== undefined && { json }) })
  if (given.act === 'event') {
    const { accepted } = await gateway.handIn({ account_id: account.accountId, ...given.event })
    story.events.push(...accepted)
    return
  }
  if (given.act === 'create') {
    const target_url = receiver.url(`/${account.accountId}/${story.all.size}`)
    const created = await api('POST', '/api/hooks', { target_url, ...given.given })
    expect(created.status).toBe(200)
    alive.push(created.json.id)
    story.all.add(created.json.id)
    return
  }
  const id = alive[given.at % alive.length]
  if (id === undefined) return
  switch (given.act) {
    case 'edit':
      expect((await api('POST', `/api/hooks/${id}`, given.given)).status).toBe(200)
      return
    case 'disable':
    case 'enable':
      expect((await api('POST', `/api/hooks/${id}/${given.act}`, {})).status).toBe(200)
      return
    case 'delete':
      expect((await api('DELETE', `/api/hooks?id=${id}`)).status).toBe(200)
      alive.splice(alive.indexOf(id), 1)
      story.deleted.add(id)
  }
}

/** Routed, and nothing under way: what is left is held. */
async function untilQuiet(accountId: number): Promise<void> {
  await expect
    .poll(
      () =>
        world.database.query(
          `SELECT FROM inbox WHERE account_id = $1
           UNION ALL SELECT FROM work WHERE account_id = $1 AND NOT held`,
          [accountId],
        ),
      { timeout: 30_000, interval: 10 },
    )
    .toEqual([])
}

async function reached(eventId: string): Promise<Map<number, string>> {
  const rows = await world.database.query<{ hook_id: number; how: string }>(
    `SELECT hook_id, 'matched' AS how FROM deliveries WHERE event_id = $1
     UNION ALL SELECT hook_id, 'held' FROM work WHERE event_id = $1`,
    [eventId],
  )
  return new Map(rows.map(({ hook_id, how }) => [hook_id, how]))
}

async function verdicts({ account }: Story, eventId: string): Promise<Map<number, string>> {
  const answer = await call(`${world.url}/api/events/${eventId}`, { key: account.key })
  expect(answer.status).toBe(200)
  return new Map(
    answer.json.hooks.map((own: { hook_id: number; verdict: string }) => [own.hook_id, own.verdict]),
  )
}

test('whatever happens to webhooks afterwards, each verdict is what was really delivered, held or left out', async () => {
  let compared = 0
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (steps) => {
      const story = await begin()
      const truth = new Map<string, Map<number, string>>()
      for (const given of steps) {
        await take(story, given)
        await untilQuiet(story.account.accountId)
        const event = story.events.at(-1)
        if (given.act !== 'event' || event === undefined) continue
        const real = await reached(event)
        const alive = new Set(story.alive)
        truth.set(
          event,
          new Map(
            [...story.all].map((id) => [
              id,
              real.get(id) ?? (alive.has(id) ? 'not_matched' : 'deleted_before'),
            ]),
          ),
        )
      }
      for (const [event, expected] of truth) {
        const answered = await verdicts(story, event)
        const all = [...story.all].map((id) => [id, expected.get(id) ?? 'created_later'] as const)
        expect([...answered].toSorted(byId)).toEqual(all.toSorted(byId))
        for (const [, verdict] of all) seen.add(verdict)
        compared += all.length
      }
    }),
    // The first history has every verdict, so that none is left to chance.
    { numRuns: 20, examples: [[everyVerdict]] },
  )
  expect(compared).toBeGreaterThan(100)
  expect([...seen].toSorted()).toEqual(['created_later', 'deleted_before', 'held', 'matched', 'not_matched'])
})

test('events that are routed while webhooks change are explained by those that they were routed by', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 24 }), async (steps) => {
      const story = await begin()
      const handedIn: Array<Promise<void>> = []
      for (const given of steps) {
        const taken = take(story, given)
        if (given.act === 'event') handedIn.push(taken)
        else await taken
      }
      await Promise.all(handedIn)
      await untilQuiet(story.account.accountId)
      for (const event of story.events) {
        const real = await reached(event)
        const answered = await verdicts(story, event)
        const got = [...answered].filter(([, verdict]) => verdict === 'matched' || verdict === 'held')
        expect(new Set(got.map(([id]) => id))).toEqual(new Set(real.keys()))
        compared += answered.size
      }
    }),
    { numRuns: 20 },
  )
  expect(compared).toBeGreaterThan(100)
})

function byId([one]: readonly [number, string], [other]: readonly [number, string]): number {
  return one - other
}
