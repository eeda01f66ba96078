/**
 * Real deliveries for dashboard tests: a service with a producer, a receiver that responds by path, and accounts. Each
 * webhook filters by its own number, so that a test controls where an event goes.
 */
import type { Browser } from 'playwright-core'
import { expect, vi } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { waitForCounts } from '../../../server/test/support/counts.ts'
import type { CallResponse } from '../../../server/test/support/http-call.ts'
import { createGateway, type Gateway } from '../../../server/test/support/gateway.ts'
import { signIn } from '../../../server/test/support/browser-session.ts'
import {
  startDashboardService,
  type TestAccount,
  type TestService,
} from '../../../server/test/support/test-service.ts'
import { type Login, type Visit, visitAs } from './dashboard.ts'
import { launchBrowser } from './browser.ts'

export interface TestHook {
  id: number
  path: string
  url: string
  /** How the dashboard shows a webhook without a name. */
  endpoint: string
  /** The webhook matches events to this number. */
  number: string
}

export interface AccountClient {
  account: TestAccount
  createHook: (path: string, more?: object) => Promise<TestHook>
  /** Submits an inbound SMS to the number of a webhook. */
  submitEventFor: (hook: { number: string }, data?: object) => Promise<string>
  submitEvent: (type: string, data: object) => Promise<string>
  get: (path: string) => Promise<CallResponse>
  post: (path: string, json?: object) => Promise<CallResponse>
  remove: (path: string) => Promise<CallResponse>
  /** Waits until `count` events of a webhook have a delivery in the state, and charts count all deliveries. */
  waitForState: (hook: TestHook, state: string, count: number) => Promise<void>
  /** Opens the dashboard and fails on console problems, except expected ones. */
  visit: (viewport: Screen, run: (visit: Visit) => Promise<void>, expected?: RegExp) => Promise<void>
}

type Screen = { width: number; height: number }

export interface Deliveries {
  hookline: TestService
  gateway: Gateway
  receiver: Receiver
  /** URL of a closed port. */
  closedUrl: string
  createAccount: () => Promise<AccountClient>
  /** Like `visit` of an account, as another user. */
  visitAs: (login: Login, ...visit: Parameters<AccountClient['visit']>) => Promise<void>
  /** Requests for an event that a path received. */
  received: (path: string, eventId: string) => ReceivedRequest[]
  /** Waits for a failed attempt of a webhook and makes it old enough for “Retry now”. */
  ageFailedAttempts: (hook: TestHook) => Promise<void>
  /** Waits for a failed attempt of a webhook and postpones the next one, so that the test decides about it. */
  postponeRetries: (hook: TestHook) => Promise<void>
  close: () => Promise<void>
}

type Respond = Parameters<typeof startReceiver>[0]

/** Responds 500 on paths that start with `/broken`, otherwise 200. */
const respondByPath: Respond = (request, response) => {
  const isBroken = request.url.startsWith('/broken')
  response.statusCode = isBroken ? 500 : 200
  response.end(isBroken ? 'the database is locked' : 'thank you')
}

export async function startDeliveries(respond: Respond = respondByPath, role = 'all'): Promise<Deliveries> {
  const hookline = await startDashboardService(
    { ALLOW_PRIVATE_TARGETS: 'true', CALLS_PER_MINUTE: '100000' },
    role,
  )
  const gateway = await createGateway(hookline)
  const browser = await launchBrowser()
  const receiver = await startReceiver(respond)

  async function changeFailed({ id }: TestHook, change: string): Promise<void> {
    const statement = `UPDATE work SET ${change} WHERE hook_id = $1 AND waits_since IS NOT NULL RETURNING hook_id`
    await vi.waitFor(async () => expect(await hookline.database.query(statement, [id])).not.toEqual([]), {
      timeout: 30_000,
    })
  }

  return {
    hookline,
    gateway,
    receiver,
    closedUrl: `http://127.0.0.1:${await freePort()}/closed`,
    createAccount: () => createAccountClient({ hookline, gateway, receiver, browser }),
    visitAs: (login, ...visit) => visitPages(browser, hookline, login, ...visit),
    received: (path, eventId) => receiver.at(path).filter(({ headers }) => headers['webhook-id'] === eventId),
    ageFailedAttempts: (hook) => changeFailed(hook, `waits_since = now() - interval '1 minute'`),
    postponeRetries: (hook) => changeFailed(hook, `due_at = now() + interval '1 hour'`),
    async close() {
      await browser.close()
      await hookline.close()
      await receiver.close()
    },
  }
}

interface Fixtures {
  hookline: TestService
  gateway: Gateway
  receiver: Receiver
  browser: Browser
}

let lastNumber = 493_000_000_000

async function createAccountClient({
  hookline,
  gateway,
  receiver,
  browser,
}: Fixtures): Promise<AccountClient> {
  const account = await hookline.account()
  const user = await signIn(hookline.url, account)
  const post: AccountClient['post'] = (path, json = {}) => user.call(path, { method: 'POST', json })

  const submitEvents = async (type: string, data: object) => {
    const { accepted, rejected } = await gateway.submitEvents({ account_id: account.accountId, type, data })
    expect(rejected).toEqual([])
    return accepted[0] ?? ''
  }

  return {
    account,
    post,
    get: (path) => user.call(path),
    remove: (path) => user.call(path, { method: 'DELETE' }),
    submitEvent: submitEvents,
    async createHook(path, more = {}) {
      lastNumber += 1
      const number = String(lastNumber)
      const values = {
        target_url: receiver.url(path),
        event_type: 'sms_mo',
        request_method: 'JSON',
        event_filter: number,
        ...more,
      }
      const { json } = await post('/api/hooks', values)
      expect(json).toMatchObject({ success: true })
      const { host, pathname } = new URL(values.target_url)
      const endpoint = `${host}${pathname === '/' ? '' : pathname}`
      return { id: json.id, path, url: values.target_url, endpoint: endpoint.slice(0, 200), number }
    },
    submitEventFor: ({ number }, data = {}) =>
      submitEvents('sms_mo', {
        id: '77001',
        sender: '491700000001',
        system: number,
        text: 'Where is my parcel?',
        time: '1731656400',
        message_type: 'SMS',
        ...data,
      }),
    async waitForState({ id }, state, count) {
      const countEvents = async () => {
        const { json } = await user.call(`/api/events?hook_id=${id}&state=${state}&limit=100`)
        return json.events.length
      }
      await vi.waitFor(async () => expect(await countEvents()).toBe(count), { timeout: 60_000, interval: 50 })
      await waitForCounts(hookline)
    },
    visit: (...visit) => visitPages(browser, hookline, account, ...visit),
  }
}

async function visitPages(
  browser: Browser,
  hookline: TestService,
  login: Login,
  ...[viewport, run, expected]: Parameters<AccountClient['visit']>
): Promise<void> {
  const visit = await visitAs(browser, hookline, login, viewport)
  try {
    await run(visit)
    const { console: messages, external } = visit.problems
    expect({ messages: messages.filter((text) => expected?.test(text) !== true), external }).toEqual({
      messages: [],
      external: [],
    })
  } finally {
    await visit.close()
  }
}
