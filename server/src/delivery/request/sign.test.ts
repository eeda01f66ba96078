/**
 * Tests both signatures against values computed with openssl on the command line:
 *   printf '%s' "$id.$ts.$content" | openssl dgst -sha256 -mac HMAC -macopt hexkey:$key -binary | openssl base64 -A
 *   printf '%s\n%s\n%s\n%s\n%s' $ts $nonce $method $url $md5 | openssl dgst -sha256 -hmac f00dfeed -r
 * with md5 from `printf '%s' "$body" | openssl dgst -md5 -r`.
 */
import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { signatureHeaders } from './sign.ts'

const newSecret = createSecretKey('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex')
const oldSecret = createSecretKey('ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100', 'hex')
const accountKey = createSecretKey('f00dfeed', 'utf8')
const body =
  '{"data":{"text":"Grüße 😀"},"webhook_event":"sms_mo","webhook_timestamp":"2026-11-15T09:30:00+00:00"}'
const query = 'own=1&text=Gr%C3%BC%C3%9Fe&webhook_event=sms_mo'

const post = {
  eventId: '01938d5e-7c00-7000-8000-000000000001',
  method: 'POST' as const,
  signedUrl: 'https://Example.com/hook?ü=1#part',
  content: body,
  body,
  atSeconds: 1_794_735_000,
  nonce: '0123456789abcdef0123456789abcdef',
}
const get = {
  ...post,
  method: 'GET' as const,
  signedUrl: 'https://example.com/hook?own=1',
  content: query,
  body: '',
}

test('a POST is signed over its body and the registered URL', () => {
  expect(signatureHeaders({ hookSecrets: [newSecret], signingKeys: [accountKey] }, post)).toEqual({
    'webhook-id': '01938d5e-7c00-7000-8000-000000000001',
    'webhook-timestamp': '1794735000',
    'webhook-signature': 'v1,QnhEYWQKMVvZ7JLEIyR4CUBO0DskyzI2UFyh5ltKo7Q=',
    'x-signature': '47f856513c0a8c0877df81751a40d36d04d52a628a6ab21d6e6a209b9c592734',
    'x-timestamp': '1794735000',
    'x-nonce': '0123456789abcdef0123456789abcdef',
  })
})

test('a GET is signed over its query, and over an empty body in x-signature', () => {
  expect(signatureHeaders({ hookSecrets: [newSecret], signingKeys: [accountKey] }, get)).toMatchObject({
    'webhook-signature': 'v1,f7CeaV9bnH11ItaftOireEpFPEpI4aOh/KJqKwwvnFY=',
    'x-signature': '37300ad11efe96a8bb863584b2bc3429b96c885077934f91e36842ca65425662',
  })
})

test('a GET can be signed over its complete URL, which changes only x-signature', () => {
  const complete = { ...get, signedUrl: `https://example.com/hook?${query}` }
  const signed = signatureHeaders({ hookSecrets: [newSecret], signingKeys: [accountKey] }, complete)
  expect(signed).toEqual({
    ...signatureHeaders({ hookSecrets: [newSecret], signingKeys: [accountKey] }, get),
    'x-signature': '435113af06aec5de8ca98971d0868206cfda3a319b2526bc81f4709f19bb58e9',
  })
})

test('during a rotation both secrets sign, newest first', () => {
  const signed = signatureHeaders({ hookSecrets: [newSecret, oldSecret], signingKeys: [accountKey] }, post)
  expect(signed['webhook-signature']).toBe(
    'v1,QnhEYWQKMVvZ7JLEIyR4CUBO0DskyzI2UFyh5ltKo7Q= v1,LvessyPI5fs7ReeHQzUa/HMbM8WX7tYY0pO7uO3G0SM=',
  )
})
