import { expect, test } from 'vitest'
import { Refusal } from '../../model/errors.ts'
import { judgeRedirectUris } from './redirect-uris.ts'

const ownHost = 'hooks.example.com'
const judge = (uri: string, isPublic: boolean): string[] => judgeRedirectUris([uri], { isPublic, ownHost })

test.each([
  'https://app.example/callback',
  'https://app.example',
  'https://app.example/',
  'https://app.example:8443/a/b?tenant=1&x=%20',
  'https://192.0.2.7/callback',
])('%s can be an address of any app', (uri) => {
  expect(judge(uri, false)).toEqual([uri])
  expect(judge(uri, true)).toEqual([uri])
})

test.each([
  'http://127.0.0.1/callback',
  'http://127.0.0.1:8912/callback',
  'http://[::1]/',
  'com.example.app:/callback',
  'com.example.app://callback',
  'com.example.app:callback',
])('%s can be an address of a public app alone', (uri) => {
  expect(judge(uri, true)).toEqual([uri])
  expect(() => judge(uri, false)).toThrow(/https/)
})

test.each([
  ['', /characters/],
  ['app.example/callback', /complete/],
  ['/callback', /complete/],
  ['//app.example/callback', /complete/],
  ['https:app.example/callback', /browsers write/],
  ['https:///app.example/callback', /browsers write/],
  ['https://app.example/callback#x', /fragment/],
  ['https://app.example/callback#', /fragment/],
  ['https://*.example/callback', /wildcard/],
  ['https://app.example/*', /wildcard/],
  ['https://user@app.example/', /user info/],
  ['https://user:pass@app.example/', /user info/],
  ['https://@app.example/', /user info/],
  ['https://APP.example/callback', /browsers write/],
  ['HTTPS://app.example/callback', /browsers write/],
  ['https://app.example:443/callback', /browsers write/],
  ['https://app.example/a/../b', /browsers write/],
  ['https://app.example/a/%2e%2e/b', /browsers write/],
  ['https://0x7f.1/', /browsers write/],
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
])('%s can be none', (uri, why) => {
  expect(() => judge(uri, true)).toThrow(Refusal)
  expect(() => judge(uri, true)).toThrow(why)
  expect(() => judge(uri, false)).toThrow(Refusal)
})

test('an app has one to ten of them, each once', () => {
  const uris = Array.from({ length: 11 }, (_, n) => `https://app.example/${n}`)
  const app = { isPublic: false, ownHost }
  expect(judgeRedirectUris(uris.slice(0, 10), app)).toHaveLength(10)
  expect(() => judgeRedirectUris(uris, app)).toThrow(/1 to 10/)
  expect(() => judgeRedirectUris([], app)).toThrow(/1 to 10/)
  expect(() => judgeRedirectUris(['https://a.example/', 'https://a.example/'], app)).toThrow(/different/)
})
