/** Tests the concurrency limit per account and the cost of long responses. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { limiterKey, createAccountLimiters } from './account-limiter.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const long = { body: Buffer.alloc(9_000_000) }
const short = { body: { success: true } }

/** Makes calls sequentially and returns the time of each response. */
async function responseTimes(
  isBusy: boolean,
  accountId: number,
  responses: readonly object[],
): Promise<number[]> {
  const { handle } = createAccountLimiters(() => isBusy)
  const startedAt = performance.now()
  const times: number[] = []
  const calls = (async () => {
    for (const response of responses) {
      await handle(accountId, async () => response)
      times.push(performance.now() - startedAt)
    }
  })()
  await vi.advanceTimersByTimeAsync(30_000)
  await calls
  return times
}

test('long responses delay later calls of the account after a burst of 5 s', async () => {
  // 2.7 s each: the second exceeds the burst by 0.4 s.
  expect(await responseTimes(false, 1, [long, long, short])).toEqual([0, 0, 401])
})

test('long responses cost five times as much while the process is busy, at most 10 s', async () => {
  expect(await responseTimes(true, 1, [long, short])).toEqual([0, 5_001])
})

test('short responses cost nothing', async () => {
  const responses = Array.from({ length: 500 }, () => short)
  expect(await responseTimes(true, 1, responses)).toEqual(responses.map(() => 0))
})

test('a delayed account does not delay other accounts', async () => {
  const { handle } = createAccountLimiters(() => true)
  await handle(1, async () => long)
  let hasResponded = false
  void handle(1, async () => (hasResponded = true))
  await handle(2, async () => short)
  expect(hasResponded).toBe(false)
  await vi.advanceTimersByTimeAsync(5_001)
  expect(hasResponded).toBe(true)
})

test('signed-in users do not wait behind the API keys of their account', async () => {
  const { handle } = createAccountLimiters(() => true)
  const key = limiterKey({ accountId: 1, kind: 'header-key', keyId: 7, scopes: ['all'] })
  const user = limiterKey({ accountId: 1, kind: 'session', loginId: 3, scopes: ['all'] })
  await handle(key, async () => long)
  const waiting = Array.from({ length: 200 }, () => handle(key, async () => short))
  await expect(handle(key, async () => short)).rejects.toThrow('Too many concurrent calls')
  expect(await handle(user, async () => 'revoked')).toBe('revoked')
  await vi.advanceTimersByTimeAsync(30_000)
  await Promise.all(waiting)
})
