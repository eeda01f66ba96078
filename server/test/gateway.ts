/** The gateway's side of a test: a producer that hands in events, and events that pass every schema. */
import { createProducer } from '../src/identity/keys/producers.ts'
import type { TestWorld } from './service.ts'

export interface HandedIn {
  status: number
  retryAfter: string | null
  accepted: string[]
  rejected: Array<{ index: number; code: number; error_message: string }>
}

export interface Gateway {
  key: string
  handIn: (...events: object[]) => Promise<HandedIn>
  /** One event of which nothing matters but that it is one; answers its id. */
  event: (accountId: number, data?: object) => Promise<string>
}

export async function createGateway(
  world: TestWorld,
  internalUrl = world.service.internalUrl,
): Promise<Gateway> {
  const { key } = await createProducer(world.db, world.vault, 'operator', 'test')
  async function handIn(...events: object[]): Promise<HandedIn> {
    const response = await fetch(`${internalUrl}/intake/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    })
    const body = (await response.json()) as Partial<HandedIn>
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      accepted: body.accepted ?? [],
      rejected: body.rejected ?? [],
    }
  }
  return {
    key,
    handIn,
    async event(accountId, data = {}) {
      const { accepted, rejected } = await handIn(inboundSms(accountId, data))
      const [id] = accepted
      if (id === undefined) throw new Error(`rejected: ${rejected[0]?.error_message}`)
      return id
    },
  }
}

export function inboundSms(accountId: number, data: object = {}): object {
  return {
    account_id: accountId,
    type: 'sms_mo',
    data: {
      id: '77001',
      sender: '491700000001',
      system: '491700000002',
      text: 'Hello',
      time: '1731656400',
      ...data,
    },
  }
}
