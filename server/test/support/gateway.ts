/** The producer's side of a test: submits events, and builds events that pass every schema. */
import { createProducer } from '../../src/identity/keys/producers.ts'
import type { TestService } from './test-service.ts'

export interface SubmitResult {
  status: number
  retryAfter: string | null
  accepted: string[]
  rejected: Array<{ index: number; code: number; error_message: string }>
}

export interface Gateway {
  key: string
  submitEvents: (...events: object[]) => Promise<SubmitResult>
  /** Submits one inbound SMS with arbitrary content and returns its ID. */
  event: (accountId: number, data?: object) => Promise<string>
}

export async function createGateway(
  hookline: TestService,
  internalUrl = hookline.service.internalUrl,
): Promise<Gateway> {
  const { key } = await createProducer(hookline.db, hookline.vault, 'operator', 'test')
  async function submitEvents(...events: object[]): Promise<SubmitResult> {
    const response = await fetch(`${internalUrl}/intake/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    })
    const body = (await response.json()) as Partial<SubmitResult>
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      accepted: body.accepted ?? [],
      rejected: body.rejected ?? [],
    }
  }
  return {
    key,
    submitEvents,
    async event(accountId, data = {}) {
      const { accepted, rejected } = await submitEvents(inboundSms(accountId, data))
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
      message_type: 'SMS',
      ...data,
    },
  }
}
