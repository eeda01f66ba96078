/** Calls of one account: how many run at once, and how long answers count. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createAccountCalls } from './account-calls.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const long = { body: Buffer.alloc(9_000_000) }
const short = { body: { success: true } }

/** Makes calls one after the other and returns when each was answered. */
async function answersOf(isBusy: boolean, accountId: number, answers: readonly object[]): Promise<number[]> {
  const { handle } = createAccountCalls(() => isBusy)
  const startedAt = performance.now()
  const times: number[] = []
  const calls = (async () => {
    for (const answer of answers) {
      await handle(accountId, async () => answer)
      times.push(performance.now() - startedAt)
    }
  })()
  await vi.advanceTimersByTimeAsync(30_000)
  await calls
  return times
}

test('long answers cost an account time after a burst of 5 s', async () => {
  // 2.7 s each: the second exceeds the burst by 0.4 s.
  expect(await answersOf(false, 1, [long, long, short])).toEqual([0, 0, 401])
})

test('while the process is busy they cost five times as much, and 10 s at most', async () => {
  expect(await answersOf(true, 1, [long, short])).toEqual([0, 5_001])
})

test('short answers cost nothing', async () => {
  const answers = Array.from({ length: 500 }, () => short)
  expect(await answersOf(true, 1, answers)).toEqual(answers.map(() => 0))
})

test('an account that waits keeps no other one waiting', async () => {
  const { handle } = createAccountCalls(() => true)
  await handle(1, async () => long)
  let isAnswered = false
  void handle(1, async () => (isAnswered = true))
  await handle(2, async () => short)
  expect(isAnswered).toBe(false)
  await vi.advanceTimersByTimeAsync(5_001)
  expect(isAnswered).toBe(true)
})

test('people who are signed in do not wait behind the keys of their account', async () => {
  const { handle, handlePeople } = createAccountCalls(() => true)
  await handle(1, async () => long)
  const waiting = Array.from({ length: 200 }, () => handle(1, async () => short))
  await expect(handle(1, async () => short)).rejects.toThrow('too many calls in progress')
  expect(await handlePeople(1, async () => 'revoked')).toBe('revoked')
  await vi.advanceTimersByTimeAsync(30_000)
  await Promise.all(waiting)
})
