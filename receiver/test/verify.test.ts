/** Attacks on the verification that a genuine sender never makes. */
import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { sign, verify } from '../src/index.ts'

const secret = `whsec_${Buffer.alloc(32, 'a secret').toString('base64')}`
const data = { id: '1', text: 'x' }
const url = 'https://shop.example/webhooks'

test('an empty signing key makes no signature valid', () => {
  const body = '{"data":{},"webhook_event":"sms_mo"}'
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const text = [timestamp, 'n', 'POST', url, createHash('md5').update(body).digest('hex')].join('\n')
  const headers = {
    'x-signature': createHmac('sha256', '').update(text).digest('hex'),
    'x-timestamp': timestamp,
    'x-nonce': 'n',
  }
  const request = { method: 'POST', url, headers, body }
  expect(verify(request, { secrets: [secret], signingKeys: [''] })).toMatchObject({ isValid: false })
  expect(verify(request, { signingKeys: ['', ' '] })).toMatchObject({
    isValid: false,
    code: 'no_secret',
  })
})

test('an empty or invalid secret makes no signature valid', () => {
  const request = sign({ webhook_event: 'sms_mo', data }, { secret: 'whsec_' })
  for (const empty of ['', 'whsec_', ' ', '===', '{'])
    expect(verify(request, { secrets: [empty] }), empty).toMatchObject({ isValid: false })
})

test('with secrets, the account signature does not replace the other one', () => {
  const request = sign({ webhook_event: 'sms_mo', data }, { secret, signingKey: 'key', url })
  const keys = { secrets: [secret], signingKeys: ['key'] }
  expect(verify(request, keys)).toMatchObject({ isValid: true, by: 'webhook-signature' })
  const { 'webhook-signature': _, ...without } = request.headers
  expect(verify({ ...request, headers: { ...without, 'webhook-id': 'other' } }, keys)).toMatchObject({
    isValid: false,
    code: 'header_missing',
  })
  const wrong = { ...request.headers, 'webhook-signature': 'v1,AAAA' }
  expect(verify({ ...request, headers: wrong }, keys)).toMatchObject({ isValid: false, code: 'wrong_secret' })
})

test('parts of the signed text cannot move between id and timestamp', () => {
  const request = sign({ webhook_event: 'sms_mo', data }, { secret, id: 'a.b' })
  expect(verify(request, { secrets: [secret] })).toMatchObject({ isValid: false, code: 'header_invalid' })
})

test('a tolerance that is no number accepts nothing', () => {
  const request = sign({ webhook_event: 'sms_mo', data }, { secret, now: new Date(0) })
  expect(verify(request, { secrets: [secret], toleranceSeconds: Number.NaN })).toMatchObject({
    code: 'clock_off',
  })
})
