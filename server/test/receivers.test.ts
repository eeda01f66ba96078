/** Existing receivers verify what the worker really sent. */
import { WebhookVerifier } from '@seven.io/client'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signingSecrets } from '../src/hooks/delivery-hooks.ts'
import { call } from './call.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { type Receiver, type ReceivedRequest, startReceiver } from '../../dev/receiver.ts'
import { startWorld, type TestWorld } from './service.ts'

let world: TestWorld
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(world)
  receiver = await startReceiver()
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

async function deliverOnce(requestMethod: string): Promise<{
  request: ReceivedRequest
  address: string
  secret: string
  signatureKey: string
}> {
  const { accountId, key } = await world.account()
  const address = receiver.url(`/${requestMethod}?own=1`)
  const form = { target_url: address, event_type: 'all', request_method: requestMethod }
  const { id } = (await call(`${world.url}/api/hooks`, { method: 'POST', key, form })).json
  const event = await gateway.event(accountId, { text: 'Grüße 😀' })
  const ofEvent = (got: ReceivedRequest[]) => got.find((request) => request.headers['webhook-id'] === event)
  await receiver.until((got) => ofEvent(got) !== undefined, 25_000)
  const request = ofEvent(receiver.requests)
  const secrets = await signingSecrets(world.db, world.vault, accountId, id)
  if (request === undefined || secrets === undefined) throw new Error('nothing was received')
  return { request, address, ...secrets }
}

function headersOf(request: ReceivedRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
}

test.each(['JSON', 'POST', 'GET'])('standardwebhooks verifies a %s', async (method) => {
  const { request, secret } = await deliverOnce(method)
  const content = method === 'GET' ? (request.url.split('?')[1] ?? '') : request.body
  const webhook = new Webhook(secret)
  // It parses what it has verified as JSON, which only one of the formats is.
  if (method === 'JSON')
    expect(webhook.verify(content, headersOf(request))).toMatchObject({ webhook_event: 'sms_mo' })
  else expect(() => webhook.verify(content, headersOf(request))).toThrow(SyntaxError)
  expect(() => webhook.verify(`${content}x`, headersOf(request))).toThrow('No matching signature found')
})

test.each(['JSON', 'POST', 'GET'])('WebhookVerifier of the existing client verifies a %s', async (method) => {
  const { request, address, signatureKey } = await deliverOnce(method)
  const verifier = new WebhookVerifier({ signingSecret: signatureKey })
  const shown = { method: request.method, url: address, headers: headersOf(request), body: request.body }
  expect(await verifier.verify(shown)).toMatchObject({ valid: true })
  expect(await verifier.verify({ ...shown, url: `${address}x` })).toMatchObject({ valid: false })
})
