import { expect, test } from 'vitest'
import { isLogin } from './digest.ts'

const key = 'hlk_made-up'

test.each([
  ['a login with its password', { u: 'demo', p: 'secret' }, {}, true],
  [
    'a login without a password, which leaves the cookie in effect',
    { u: 'demo' },
    { cookie: ['hookline=made-up'] },
    false,
  ],
  ['a blank password', { u: 'demo', p: ' ' }, {}, false],
  ['a login beside a key', { u: 'demo', p: 'secret' }, { 'x-api-key': [key] }, false],
  ['a login beside a token', { u: 'demo', p: 'secret' }, { authorization: [`Bearer ${key}`] }, false],
  ['a key as a parameter', { p: key }, {}, false],
])('%s', (_name, params, headers, expected) => {
  expect(isLogin({ params, headers, ip: '192.0.2.1' })).toBe(expected)
})
