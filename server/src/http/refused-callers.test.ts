/** Callers over a limit, remembered by what they authenticate with. */
import { expect, test } from 'vitest'
import type { Caller } from '../model/caller.ts'
import { Refusal } from '../model/errors.ts'
import { createRefusedCallers } from './refused-callers.ts'

const caller: Caller = { accountId: 1, kind: 'header-key', keyId: 7, scopes: ['all'] }
const refusalFor = (secondsLeft: number) => new Refusal('rateLimited', `${secondsLeft} s`)

function callOf(headers: Record<string, string>, params: Record<string, string> = {}) {
  const distinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
  return { headers: distinct, params, ip: '192.0.2.1' }
}

test.each([
  ['a key', callOf({ 'x-api-key': 'a' }), callOf({ 'x-api-key': 'b' })],
  ['a token', callOf({ authorization: 'Bearer a' }), callOf({ authorization: 'Bearer b' })],
  ['a login', callOf({}, { u: 'a', p: 'c' }), callOf({}, { u: 'b', p: 'c' })],
  ['a session', callOf({ cookie: 'session=a' }), callOf({ cookie: 'session=b' })],
])('%s over its limit is refused until its time has passed, another one is not', (_name, own, other) => {
  let now = 0
  const callers = createRefusedCallers(() => now)
  callers.add(own, 3, { caller, refusalFor })
  now = 1_500
  expect(callers.find(own)?.refusal.message).toBe('2 s')
  expect(callers.find(other)).toBeUndefined()
  now = 3_000
  expect(callers.find(own)).toBeUndefined()
})

test('cookies beside a key do not make another caller', () => {
  const callers = createRefusedCallers(() => 0)
  callers.add(callOf({ 'x-api-key': 'a', cookie: 'n=1' }), 3, { caller, refusalFor })
  expect(callers.find(callOf({ 'x-api-key': 'a', cookie: 'n=2' }))).toBeDefined()
  expect(callers.find(callOf({ 'x-api-key': 'a' }))).toBeDefined()
  expect(callers.find(callOf({ cookie: 'n=1' }))).toBeUndefined()
})

test('an empty credential beside a session is none', () => {
  const callers = createRefusedCallers(() => 0)
  const empty = { 'x-api-key': ' ', authorization: '' }
  callers.add(callOf({ ...empty, cookie: 'session=a' }, { u: '', p: '' }), 3, { caller, refusalFor })
  expect(callers.find(callOf({ ...empty, cookie: 'session=b' }, { u: '', p: '' }))).toBeUndefined()
  expect(callers.find(callOf({ cookie: 'session=a' }))).toBeDefined()
})
