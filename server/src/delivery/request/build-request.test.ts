/** Tests which delivery options change a request, and that nothing else does. */
import { createHash, createHmac, createSecretKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { defaultOptions, type DeliveryOptions } from '../../model/delivery-options.ts'
import { requestMethods, type RequestMethod } from '../../model/hook.ts'
import { buildRequest, headerPairs } from './build-request.ts'

const at = Date.parse('2026-11-15T09:30:05.000Z')
const event = {
  id: '01938d5e-7c00-7000-8000-000000000001',
  accountId: 1,
  type: 'sms_mo' as const,
  data: '{"sender":"491700000001","system":"491700000002"}',
  acceptedAt: new Date('2026-11-15T09:30:00.999Z'),
}
const registered = 'https://Example.com/hook?own=1#part'

function build(
  requestMethod: RequestMethod,
  options: Partial<DeliveryOptions> = {},
  headers: Array<{ name: string; value: string }> = [],
) {
  const hook = {
    id: 7,
    targetUrl: registered,
    callUrl: 'https://example.com/hook?own=1',
    requestMethod,
    headers,
    ...defaultOptions,
    ...options,
    secrets: [createSecretKey(Buffer.alloc(32, 1))],
  }
  const key = createSecretKey('f00dfeed', 'utf8')
  const request = buildRequest(hook, [key], { event, round: 1, attempts: 0 }, at)
  if (typeof request === 'string') throw new Error(request)
  return { ...request, headers: headerPairs(request.headers) }
}

type Built = ReturnType<typeof build>

function valueOf({ headers }: Built, name: string): string | undefined {
  return headers.find((header) => header.name === name)?.value
}

/** Returns the request without the headers that differ on each attempt. */
function stable({ headers, ...request }: Built) {
  return {
    ...request,
    headers: headers.filter(({ name }) => name !== 'x-signature' && name !== 'x-nonce'),
  }
}

/** Returns the URL of the candidates that `x-signature` signs. */
function signedUrl(request: Built, candidates: readonly string[]): string | undefined {
  return candidates.find((url) => {
    const bodyHash = createHash('md5').update(request.body).digest('hex')
    const timestamp = valueOf(request, 'x-timestamp')
    const lines = [timestamp, valueOf(request, 'x-nonce'), request.method, url, bodyHash]
    const expected = createHmac('sha256', 'f00dfeed').update(lines.join('\n')).digest('hex')
    return expected === valueOf(request, 'x-signature')
  })
}

const completeUrl =
  'https://example.com/hook?own=1&sender=491700000001&system=491700000002&webhook_event=sms_mo&webhook_timestamp=2026-11-15T09%3A30%3A00%2B00%3A00'

describe('without options', () => {
  test.each(requestMethods)('%s has the usual headers, in order', (method) => {
    expect(build(method).headers.map(({ name }) => name)).toEqual([
      'user-agent',
      ...(method === 'GET' ? [] : ['content-type']),
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'x-signature',
      'x-timestamp',
      'x-nonce',
      'x-hookline-hook',
      'x-hookline-attempt',
    ])
  })

  test.each(requestMethods)('%s signs the registered URL', (method) => {
    expect(signedUrl(build(method), [completeUrl, registered])).toBe(registered)
  })
})

describe('form_fields', () => {
  test('flat changes the body of a form and its signature', () => {
    const [nested, flat] = [build('POST'), build('POST', { formFields: 'flat' })]
    expect(flat.body).toBe(
      'sender=491700000001&system=491700000002&webhook_event=sms_mo&webhook_timestamp=2026-11-15T09%3A30%3A00%2B00%3A00',
    )
    expect(valueOf(flat, 'webhook-signature')).not.toBe(valueOf(nested, 'webhook-signature'))
    expect(signedUrl(flat, [registered])).toBe(registered)
  })

  test.each(['GET', 'JSON'] as const)('flat does not change %s', (method) => {
    expect(stable(build(method, { formFields: 'flat' }))).toEqual(stable(build(method)))
  })
})

describe('accept_header', () => {
  test.each(requestMethods)('adds one header to %s', (method) => {
    const { headers, ...request } = stable(build(method, { acceptHeader: true }))
    expect(headers.filter(({ name }) => name === 'accept')).toEqual([{ name: 'accept', value: '*/*' }])
    const others = headers.filter(({ name }) => name !== 'accept')
    expect({ ...request, headers: others }).toEqual(stable(build(method)))
  })

  test.each(['accept', 'Accept', 'ACCEPT'])('adds none beside a custom %s', (name) => {
    const custom = [{ name, value: 'text/plain' }]
    const { headers } = build('JSON', { acceptHeader: true }, custom)
    expect(headers.filter((header) => header.name.toLowerCase() === 'accept')).toEqual(custom)
  })

  test('adds one beside custom headers whose names only resemble it', () => {
    const custom = [{ name: 'Accept-Language', value: 'de' }]
    expect(valueOf(build('JSON', { acceptHeader: true }, custom), 'accept')).toBe('*/*')
  })
})

describe('trace_header', () => {
  const traced = { traceHeader: true }

  test.each(requestMethods)('adds the trace of the event to %s', (method) => {
    const { headers, ...request } = stable(build(method, traced))
    expect(headers.filter(({ name }) => name === 'traceparent')).toEqual([
      { name: 'traceparent', value: '00-01938d5e7c0070008000000000000001-8000000000000001-00' },
    ])
    const others = headers.filter(({ name }) => name !== 'traceparent')
    expect({ ...request, headers: others }).toEqual(stable(build(method)))
  })

  test.each(['traceparent', 'TraceParent'])('adds none beside a custom %s', (name) => {
    const custom = [{ name, value: 'own' }]
    const { headers } = build('JSON', traced, custom)
    expect(headers.filter((header) => header.name.toLowerCase() === 'traceparent')).toEqual(custom)
  })
})

describe('signature_url', () => {
  const complete = { signatureUrl: 'complete' } as const

  test('complete signs the URL that a GET calls', () => {
    const request = build('GET', complete)
    expect(request.url).toBe(completeUrl)
    expect(signedUrl(request, [registered, completeUrl])).toBe(completeUrl)
    expect(stable(request)).toEqual(stable(build('GET')))
  })

  test.each(['POST', 'JSON'] as const)('complete does not change %s', (method) => {
    const request = build(method, complete)
    expect(signedUrl(request, ['https://example.com/hook?own=1', registered])).toBe(registered)
    expect(stable(request)).toEqual(stable(build(method)))
  })
})

test('retry_policy does not change requests', () => {
  for (const method of requestMethods)
    expect(stable(build(method, { retryPolicy: 'original' }))).toEqual(stable(build(method)))
})
