import { expect, test } from 'vitest'
import { ApiError } from '../../model/errors.ts'
import { validateRedirectUris } from './redirect-uris.ts'

const ownHost = 'hooks.example.com'
const validate = (uri: string, isPublic: boolean): string[] =>
  validateRedirectUris([uri], { isPublic, ownHost })

test.each([
  'https://app.example/callback',
  'https://app.example',
  'https://app.example/',
  'https://app.example:8443/a/b?tenant=1&x=%20',
  'https://192.0.2.7/callback',
])('%s is valid for any app', (uri) => {
  expect(validate(uri, false)).toEqual([uri])
  expect(validate(uri, true)).toEqual([uri])
})

test.each([
  'http://127.0.0.1/callback',
  'http://127.0.0.1:8912/callback',
  'http://[::1]/',
  'com.example.app:/callback',
  'com.example.app://callback',
  'com.example.app:callback',
])('%s is valid only for a public app', (uri) => {
  expect(validate(uri, true)).toEqual([uri])
  expect(() => validate(uri, false)).toThrow(/https/)
})

test.each([
  ['', /characters/],
  ['app.example/callback', /absolute/],
  ['/callback', /absolute/],
  ['//app.example/callback', /absolute/],
  ['https:app.example/callback', /not normalized/],
  ['https:///app.example/callback', /not normalized/],
  ['https://app.example/callback#x', /fragment/],
  ['https://app.example/callback#', /fragment/],
  ['https://*.example/callback', /wildcard/],
  ['https://app.example/*', /wildcard/],
  ['https://user@app.example/', /user info/],
  ['https://user:pass@app.example/', /user info/],
  ['https://@app.example/', /user info/],
  ['https://APP.example/callback', /not normalized/],
  ['HTTPS://app.example/callback', /not normalized/],
  ['https://app.example:443/callback', /not normalized/],
  ['https://app.example/a/../b', /not normalized/],
  ['https://app.example/a/%2e%2e/b', /not normalized/],
  ['https://0x7f.1/', /not normalized/],
  ['https://app.example\\callback', /characters/],
  ['https://app.example/call back', /characters/],
  ['https://app.example/\n', /characters/],
  ['https://аpp.example/', /characters/],
  ['https://hooks.example.com/callback', /this service/],
  ['http://app.example/callback', /127\.0\.0\.1/],
  ['http://localhost/callback', /127\.0\.0\.1/],
  ['http://127.0.0.2/callback', /127\.0\.0\.1/],
  ['http://127.0.0.1.evil.example/callback', /127\.0\.0\.1/],
  ['javascript:alert(1)', /scheme/],
  ['data:text/html,x', /scheme/],
  ['file:///etc/passwd', /scheme/],
  ['vbscript:x', /scheme/],
  ['blob:https://app.example/x', /scheme/],
  ['about:blank', /scheme/],
  ['myapp:/callback', /scheme/],
  ['ftp://app.example/', /scheme/],
  ['ws://app.example/', /scheme/],
  [`https://app.example/${'x'.repeat(2_048)}`, /longer/],
])('%s is rejected', (uri, reason) => {
  expect(() => validate(uri, true)).toThrow(ApiError)
  expect(() => validate(uri, true)).toThrow(reason)
  expect(() => validate(uri, false)).toThrow(ApiError)
})

test('an app has 1 to 10 redirect URIs without duplicates', () => {
  const uris = Array.from({ length: 11 }, (_, n) => `https://app.example/${n}`)
  const app = { isPublic: false, ownHost }
  expect(validateRedirectUris(uris.slice(0, 10), app)).toHaveLength(10)
  expect(() => validateRedirectUris(uris, app)).toThrow(/1 to 10/)
  expect(() => validateRedirectUris([], app)).toThrow(/1 to 10/)
  expect(() => validateRedirectUris(['https://a.example/', 'https://a.example/'], app)).toThrow(/different/)
})
