/**
 * Deliveries that really happen, for pages to show: an installation with a gateway, a receiver that answers as the path
 * says, and accounts whose webhooks each listen to a number of their own, so that an event goes where a test wants it.
 */
import type { Browser } from 'playwright-core'
import { expect, vi } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../dev/receiver.ts'
import type { CallAnswer } from '../call.ts'
import { createGateway, type Gateway } from '../gateway.ts'
import { signIn } from '../person.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from '../service.ts'
import { type Visit, visitAs } from './area.ts'
import { launchBrowser } from './browser.ts'

export interface OwnHook {
  id: number
  path: string
  url: string
  /** Events to this number are for it. */
  number: string
}

export interface Owner {
  account: TestAccount
  hook: (path: string, more?: object) => Promise<OwnHook>
  /** An inbound SMS to the number of a webhook. */
  eventFor: (hook: { number: string }, data?: object) => Promise<string>
  event: (type: string, data: object) => Promise<string>
  get: (path: string) => Promise<CallAnswer>
  post: (path: string, json?: object) => Promise<CallAnswer>
  remove: (path: string) => Promise<CallAnswer>
  /** Waits until so many deliveries of a webhook are in a state. */
  until: (hook: OwnHook, state: string, count: number) => Promise<void>
  /** Looks at the pages, and at the end for anything the browser complained about, but for what is expected. */
  look: (viewport: Screen, what: (visit: Visit) => Promise<void>, expected?: RegExp) => Promise<void>
}

type Screen = { width: number; height: number }

export interface Deliveries {
  world: TestWorld
  gateway: Gateway
  receiver: Receiver
  /** An address at which nobody listens. */
  deadUrl: string
  owner: () => Promise<Owner>
  /** What a path has received of an event. */
  received: (path: string, eventId: string) => ReceivedRequest[]
  close: () => Promise<void>
}

type Respond = Parameters<typeof startReceiver>[0]

/** Paths that begin with `/broken` break, all others are fine. */
const answerByPath: Respond = (request, response) => {
  const isBroken = request.url.startsWith('/broken')
  response.statusCode = isBroken ? 500 : 200
  response.end(isBroken ? 'the database is locked' : 'thank you')
}

export async function startDeliveries(respond: Respond = answerByPath, role = 'all'): Promise<Deliveries> {
  const world = await startAreaWorld({ ALLOW_PRIVATE_TARGETS: 'true', CALLS_PER_MINUTE: '100000' }, role)
  const gateway = await createGateway(world)
  const browser = await launchBrowser()
  const receiver = await startReceiver(respond)
  return {
    world,
    gateway,
    receiver,
    deadUrl: `http://127.0.0.1:${await freePort()}/nobody`,
    owner: () => newOwner({ world, gateway, receiver, browser }),
    received: (path, eventId) => receiver.at(path).filter(({ headers }) => headers['webhook-id'] === eventId),
    async close() {
      await browser.close()
      await world.close()
      await receiver.close()
    },
  }
}

interface Parts {
  world: TestWorld
  gateway: Gateway
  receiver: Receiver
  browser: Browser
}

let lastNumber = 493_000_000_000

async function newOwner({ world, gateway, receiver, browser }: Parts): Promise<Owner> {
  const account = await world.account()
  const person = await signIn(world.url, account)
  const post: Owner['post'] = (path, json = {}) => person.call(path, { method: 'POST', json })

  const handIn = async (type: string, data: object) => {
    const { accepted, rejected } = await gateway.handIn({ account_id: account.accountId, type, data })
    expect(rejected).toEqual([])
    return accepted[0] ?? ''
  }

  return {
    account,
    post,
    get: (path) => person.call(path),
    remove: (path) => person.call(path, { method: 'DELETE' }),
    event: handIn,
    async hook(path, more = {}) {
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
      return { id: json.id, path, url: values.target_url, number }
    },
    eventFor: ({ number }, data = {}) =>
      handIn('sms_mo', {
        id: '77001',
        sender: '491700000001',
        system: number,
        text: 'Where is my parcel?',
        time: '1731656400',
        ...data,
      }),
    async until({ id }, state, count) {
      const found = async () => {
        const { json } = await person.call(`/api/events?hook_id=${id}&state=${state}&limit=100`)
        return json.events.length
      }
      await vi.waitFor(async () => expect(await found()).toBe(count), { timeout: 60_000, interval: 50 })
    },
    async look(viewport, what, expected) {
      const visit = await visitAs(browser, world, account, viewport)
      try {
        await what(visit)
        const { console: said, foreign } = visit.complaints
        expect({ said: said.filter((one) => expected?.test(one) !== true), foreign }).toEqual({
          said: [],
          foreign: [],
        })
      } finally {
        await visit.close()
      }
    },
  }
}
