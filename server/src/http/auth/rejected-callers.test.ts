/** Tests the cache of callers over a limit, keyed by their credential. */
import { expect, test } from 'vitest'
import type { Caller } from '../../model/caller.ts'
import { ApiError } from '../../model/errors.ts'
import { createRejectedCallers } from './rejected-callers.ts'

const caller: Caller = { accountId: 1, kind: 'header-key', keyId: 7, scopes: ['all'] }
const rejectionFor = (secondsLeft: number) => new ApiError('rateLimited', `${secondsLeft} s`)

function createCall(headers: Record<string, string>, params: Record<string, string> = {}) {
  const distinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
  return { headers: distinct, params, ip: '192.0.2.1' }
}

test.each([
  ['a key', createCall({ 'x-api-key': 'a' }), createCall({ 'x-api-key': 'b' })],
  ['a token', createCall({ authorization: 'Bearer a' }), createCall({ authorization: 'Bearer b' })],
  ['a login', createCall({}, { u: 'a', p: 'c' }), createCall({}, { u: 'b', p: 'c' })],
  ['a session', createCall({ cookie: 'hookline=a' }), createCall({ cookie: 'hookline=b' })],
])('%s over its limit is rejected until the time has passed, and others are not', (_name, limited, other) => {
  let now = 0
  const callers = createRejectedCallers(() => now)
  callers.add(limited, 3, { caller, rejectionFor })
  now = 1_500
  expect(callers.find(limited)?.rejection.message).toBe('2 s')
  expect(callers.find(other)).toBeUndefined()
  now = 3_000
  expect(callers.find(limited)).toBeUndefined()
})

test('cookies beside a key do not change the caller', () => {
  const callers = createRejectedCallers(() => 0)
  callers.add(createCall({ 'x-api-key': 'a', cookie: 'n=1' }), 3, { caller, rejectionFor })
  expect(callers.find(createCall({ 'x-api-key': 'a', cookie: 'n=2' }))).toBeDefined()
  expect(callers.find(createCall({ 'x-api-key': 'a' }))).toBeDefined()
  expect(callers.find(createCall({ cookie: 'n=1' }))).toBeUndefined()
})

test.each([
  [
    'an unused parameter',
    createCall({ 'x-api-key': 'a' }),
    createCall({ 'x-api-key': 'a' }, { u: 'anything' }),
  ],
  [
    'the same key twice',
    createCall({ 'x-api-key': 'a' }),
    { ...createCall({}), headers: { 'x-api-key': ['a', ' a'] } },
  ],
  [
    'another way to send the key',
    createCall({ 'x-api-key': 'a' }),
    createCall({ authorization: 'bASIC  a' }),
  ],
  ['the key as a parameter', createCall({ 'x-api-key': 'a' }), createCall({}, { p: 'a' })],
  [
    'cookies beside a session',
    createCall({ cookie: 'hookline=a' }),
    createCall({ cookie: 'x=1; hookline=a; y=2' }),
  ],
])('%s does not change the caller', (_name, limited, same) => {
  const callers = createRejectedCallers(() => 0)
  callers.add(limited, 3, { caller, rejectionFor })
  expect(callers.find(same)).toBeDefined()
})

test('an empty credential beside a session is ignored', () => {
  const callers = createRejectedCallers(() => 0)
  const empty = { 'x-api-key': ' ', authorization: '' }
  callers.add(createCall({ ...empty, cookie: 'hookline=a' }, { u: '', p: '' }), 3, { caller, rejectionFor })
  expect(callers.find(createCall({ ...empty, cookie: 'hookline=b' }, { u: '', p: '' }))).toBeUndefined()
  expect(callers.find(createCall({ cookie: 'hookline=a' }))).toBeDefined()
})
