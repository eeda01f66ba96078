/** Tests that existing receivers verify the requests of the worker. */
import { WebhookVerifier } from '@seven.io/client'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signingSecrets } from '../../src/hooks/open-secrets.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { type Receiver, type ReceivedRequest, startReceiver } from '../../../dev/receiver.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

let hookline: TestService
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(hookline)
  receiver = await startReceiver()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

async function deliverOnce(requestMethod: string): Promise<{
  request: ReceivedRequest
  targetUrl: string
  secret: string
  signingKey: string
}> {
  const { accountId, key } = await hookline.account()
  const targetUrl = receiver.url(`/${requestMethod}?own=1`)
  const form = { target_url: targetUrl, event_type: 'all', request_method: requestMethod }
  const { id } = (await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })).json
  const event = await gateway.event(accountId, { text: 'Grüße 😀' })
  const findRequest = (requests: ReceivedRequest[]) =>
    requests.find((request) => request.headers['webhook-id'] === event)
  await receiver.until((requests) => findRequest(requests) !== undefined, 25_000)
  const request = findRequest(receiver.requests)
  const secrets = await signingSecrets(hookline.db, hookline.vault, accountId, id)
  if (request === undefined || secrets === undefined) throw new Error('nothing was received')
  return { request, targetUrl, ...secrets }
}

function headersOf(request: ReceivedRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
}

test.each(['JSON', 'POST', 'GET'])('standardwebhooks verifies a %s', async (method) => {
  const { request, secret } = await deliverOnce(method)
  const content = method === 'GET' ? (request.url.split('?')[1] ?? '') : request.body
  const webhook = new Webhook(secret)
  // The library parses verified content as JSON, and only one of the formats is JSON.
  if (method === 'JSON')
    expect(webhook.verify(content, headersOf(request))).toMatchObject({ webhook_event: 'sms_mo' })
  else expect(() => webhook.verify(content, headersOf(request))).toThrow(SyntaxError)
  expect(() => webhook.verify(`${content}x`, headersOf(request))).toThrow('No matching signature found')
})

test.each(['JSON', 'POST', 'GET'])('WebhookVerifier of the existing client verifies a %s', async (method) => {
  const { request, targetUrl, signingKey } = await deliverOnce(method)
  const verifier = new WebhookVerifier({ signingSecret: signingKey })
  const input = { method: request.method, url: targetUrl, headers: headersOf(request), body: request.body }
  expect(await verifier.verify(input)).toMatchObject({ valid: true })
  expect(await verifier.verify({ ...input, url: `${targetUrl}x` })).toMatchObject({ valid: false })
})
