/** Verifies the vectors with this library and with `standardwebhooks`. */
import { Webhook } from 'standardwebhooks'
import { expect, test, vi } from 'vitest'
import { parse, type SignedRequest, UnreadableEvent, verify } from '../src/index.ts'
import file from '../vectors.json' with { type: 'json' }

type Vector = (typeof file.vectors)[number]

function requestOf({ request, url }: Vector): SignedRequest {
  return {
    method: request.method,
    url,
    query: request.url.split('?').slice(1).join('?'),
    headers: Object.fromEntries(request.headers as Array<[string, string]>),
    body: request.body,
  }
}

test.each(file.vectors.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
  const { secrets, signing_key: signingKey, now, expected } = vector
  const request = requestOf(vector)
  const result = verify(request, { secrets, signingKeys: [signingKey], now: now * 1_000 })
  if (expected.code === 'unreadable') return expect(() => parse(request)).toThrow(UnreadableEvent)
  if (!expected.is_valid) return expect(result).toMatchObject({ isValid: false, code: expected.code })
  expect(result).toMatchObject({ isValid: true, timestamp: new Date(Date.UTC(2026, 10, 15, 9, 30)) })
  expect(parse(request)).toMatchObject(expected.event as object)
})

const isPlain = ({ request, name }: Vector): boolean =>
  request.headers.some(([header]) => header === 'webhook-signature') && !name.includes('several secrets')

test.each(file.vectors.filter(isPlain).map((vector) => [vector.name, vector] as const))(
  'standardwebhooks agrees: %s',
  (_, vector) => {
    vi.useFakeTimers({ now: vector.now * 1_000 })
    try {
      const { headers, query, body, method } = requestOf(vector)
      const content = method === 'GET' ? (query ?? '') : body
      const secret = vector.secrets[0] ?? ''
      const isValid = vector.expected.is_valid
      const standard = (): unknown =>
        new Webhook(secret).verify(content as string, headers as Record<string, string>)
      // It parses every body as JSON.
      if (isValid && vector.name.startsWith('JSON')) expect(standard()).toBeDefined()
      else if (vector.expected.is_signed) expect(standard).not.toThrow('signature')
      else if (!isValid) expect(standard).toThrow()
    } finally {
      vi.useRealTimers()
    }
  },
)
