/** Throttling of wrong passwords, and bounded hashing under a flood of attempts. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { expectOutcome } from '../support/credential-call.ts'

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let hookline: TestService
beforeAll(async () => {
  hookline = await startTestService({ LOGIN_ATTEMPTS: '0' })
})
afterAll(() => hookline.close())

describe('wrong passwords', () => {
  let first: ServiceProcess
  let second: ServiceProcess
  beforeAll(async () => {
    // Each test calls from a different address.
    const env = { LOGIN_ATTEMPTS: '3', TRUSTED_PROXIES: '127.0.0.1' }
    first = await hookline.startAnother(env)
    second = await hookline.startAnother(env)
  })

  const signIn = (login: string, password: string, ip: string, service: ServiceProcess = first) =>
    call(`${service.url}/api/hooks?${new URLSearchParams({ u: login, p: password }).toString()}`, {
      headers: { 'x-forwarded-for': ip },
    })

  test('the fourth attempt gets 429 with Retry-After', async () => {
    const { alias, password } = await hookline.account()
    for (let attempt = 1; attempt <= 3; attempt++)
      expectOutcome(await signIn(alias, 'wrong-password', '198.18.0.1'), '401/900', `attempt ${attempt}`)
    const fourth = await signIn(alias, 'wrong-password', '198.18.0.1')
    expectOutcome(fourth, '429/907', 'attempt 4')
    const retryAfter = Number(fourth.headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThan(15 * 60 - 30)
    expect(retryAfter).toBeLessThanOrEqual(15 * 60)
    expectOutcome(
      await signIn(alias, password, '198.18.0.1'),
      '429/907',
      'the right password while throttled',
    )
  })

  test('unknown logins get identical responses', async () => {
    const { alias } = await hookline.account()
    const unknownLogin = `nobody-${randomBytes(4).toString('hex')}`
    const existingResponses: CallResponse[] = []
    const unknownResponses: CallResponse[] = []
    for (let attempt = 1; attempt <= 5; attempt++) {
      existingResponses.push(await signIn(alias, 'wrong-password', '198.18.0.2'))
      unknownResponses.push(await signIn(unknownLogin, 'wrong-password', '198.18.0.3'))
    }
    expect(unknownResponses.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429])
    expect(existingResponses.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429])
    expect(unknownResponses.map(({ text }) => text)).toEqual(existingResponses.map(({ text }) => text))
  })

  test('the throttle ignores the case of the login', async () => {
    const { alias } = await hookline.account()
    const names = [alias, alias.toUpperCase(), alias.replace('user', 'User')]
    for (const name of names) expectOutcome(await signIn(name, 'wrong', '198.18.0.4'), '401/900', name)
    expectOutcome(await signIn(alias, 'wrong', '198.18.0.4'), '429/907', alias)
  })

  test('a right password does not count as an attempt', async () => {
    const { alias, password } = await hookline.account()
    const ip = '198.18.0.5'
    for (let attempt = 1; attempt <= 2; attempt++)
      expectOutcome(await signIn(alias, 'wrong-password', ip), '401/900', `wrong ${attempt}`)
    for (let attempt = 1; attempt <= 6; attempt++)
      expectOutcome(await signIn(alias, password, ip), '200', `right ${attempt}`)
    expectOutcome(await signIn(alias, 'wrong-password', ip), '401/900', 'wrong 3')
    expectOutcome(await signIn(alias, 'wrong-password', ip), '429/907', 'wrong 4')
  })

  test('of 50 concurrent attempts on two processes, three are checked', async () => {
    const { alias } = await hookline.account()
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => signIn(alias, `wrong-${n}`, '198.18.0.6', n % 2 ? first : second)),
    )
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(3)
    expect(statuses.filter((status) => status === 429)).toHaveLength(47)
  })

  test('throttled attempts are not hashed: 200 concurrent attempts all get 429', async () => {
    const { alias } = await hookline.account()
    for (let attempt = 1; attempt <= 4; attempt++) await signIn(alias, 'wrong-password', '198.18.0.7')
    const responses = await Promise.all(
      Array.from({ length: 200 }, () => signIn(alias, 'wrong-password', '198.18.0.7')),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([429]))
  })

  test('one address may try many logins up to five times the limit', async () => {
    const statuses: number[] = []
    for (let attempt = 1; attempt <= 17; attempt++)
      statuses.push((await signIn(`nobody-${attempt}-ip`, 'wrong-password', '198.18.0.8')).status)
    expect(statuses).toEqual([...Array.from({ length: 15 }, () => 401), 429, 429])
  })

  test('one login may be tried from many addresses up to ten times the limit', async () => {
    const { alias } = await hookline.account()
    const statuses: number[] = []
    for (let attempt = 1; attempt <= 32; attempt++)
      statuses.push((await signIn(alias, 'wrong-password', `198.18.1.${attempt}`)).status)
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 401), 429, 429])
  })

  test('repeated attempts from one address do not lock out the user elsewhere', async () => {
    const { alias, password } = await hookline.account()
    for (let attempt = 1; attempt <= 40; attempt++) await signIn(alias, 'wrong-password', '198.18.0.9')
    expectOutcome(await signIn(alias, password, '198.18.0.10'), '200', 'the user, from another address')
  })

  test('repeated attempts for one login do not lock out other users at the same address', async () => {
    const { alias } = await hookline.account()
    const neighbor = await hookline.account()
    for (let attempt = 1; attempt <= 20; attempt++) await signIn(alias, 'wrong-password', '198.18.0.11')
    expectOutcome(await signIn(neighbor.alias, neighbor.password, '198.18.0.11'), '200', 'the neighbor')
  })

  test('a right password rejected by a full queue does not count as wrong', async () => {
    const ip = '198.18.0.12'
    const controller = new AbortController()
    let networks = 0
    // The queue holds 100 attempts. Twenty more clients take each place that becomes free.
    const clients = Array.from({ length: 120 }, async () => {
      while (!controller.signal.aborted) {
        const network = networks++
        await signIn(`nobody-${network}`, 'wrong-password', `10.${network >> 8}.${network & 255}.1`)
        await sleep(20)
      }
    })
    let account = await hookline.account()
    let rejections = 0
    while (rejections < 3) {
      const { status } = await signIn(account.alias, account.password, ip)
      if (status === 503) rejections++
      else {
        // After a sign-in the network is known and uses another queue.
        account = await hookline.account()
        rejections = 0
      }
    }
    controller.abort()
    await Promise.all(clients)
    const { alias, password } = account
    expectOutcome(await signIn(alias, password, ip), '200', 'the right password after the flood')
  })

  test('API keys work from a throttled address', async () => {
    const { alias, key } = await hookline.account()
    for (let attempt = 1; attempt <= 4; attempt++) await signIn(alias, 'wrong-password', '198.18.0.13')
    const response = await call(`${first.url}/api/hooks`, {
      key,
      headers: { 'x-forwarded-for': '198.18.0.13' },
    })
    expectOutcome(response, '200', 'X-Api-Key')
  })

  test('the throttle ignores X-Forwarded-For from untrusted clients', async () => {
    const { alias } = await hookline.account()
    const service = await hookline.startAnother({ LOGIN_ATTEMPTS: '3' })
    const statuses: number[] = []
    for (let attempt = 1; attempt <= 5; attempt++)
      statuses.push((await signIn(alias, 'wrong-password', `198.18.2.${attempt}`, service)).status)
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    await service.stop()
  })
})

describe('a flood of passwords', () => {
  test(
    'excess attempts get 503 immediately, and calls with keys stay fast',
    { timeout: 120_000 },
    async () => {
      const { alias, key } = await hookline.account()
      await call(`${hookline.url}/api/hooks`, { key })
      const flooding = startFlood(300, alias)
      const keyCalls: number[] = []
      while (!flooding.isDone) keyCalls.push((await call(`${hookline.url}/api/hooks`, { key })).status)
      const responses = await flooding.responses

      const checked = responses.filter(({ status }) => status === 401)
      const rejected = responses.filter(({ status }) => status === 503)
      expect(checked.length + rejected.length).toBe(300)
      expect(checked.length).toBeGreaterThanOrEqual(42)
      expect(rejected.length).toBeGreaterThan(100)
      for (const response of rejected) {
        expect(response.json).toEqual({ success: false, code: 1301, error_message: expect.any(String) })
        expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d?$/)
      }
      // Rejected attempts respond before the last hash completes, on any machine.
      const lastOf = (some: typeof responses): number => Math.max(...some.map(({ at }) => at))
      expect(lastOf(rejected)).toBeLessThan(lastOf(checked))

      // The calls are sequential, so each took less than a tenth of the flood.
      expect(keyCalls.length).toBeGreaterThan(10)
      expect(new Set(keyCalls)).toEqual(new Set([200]))
    },
  )

  // Hashing threads have a lower priority, which /proc shows.
  test.skipIf(process.platform !== 'linux')(
    'hashing uses half of the cores at a lower priority',
    { timeout: 120_000 },
    async () => {
      const { alias } = await hookline.account()
      const tasks = `/proc/${hookline.service.child.pid}/task`
      const flooding = startFlood(42, alias)
      const hashing = new Set<string>()
      let busyOthers = 0
      let samples = 0
      while (!flooding.isDone) {
        for (const id of readdirSync(tasks)) {
          // Splits after the thread name, which may contain any character.
          const [state, ...fields] =
            readFileSync(`${tasks}/${id}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
          const isPool = readFileSync(`${tasks}/${id}/comm`, 'utf8').startsWith('libuv-worker')
          if (fields[15] === '10') hashing.add(id)
          else if (isPool && state === 'R') busyOthers++
        }
        samples++
        await sleep(1)
      }
      await flooding.responses
      expect(hashing.size).toBe(Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2))))
      // Hashing on libuv's pool would keep the pool busy all the time.
      expect(busyOthers / samples).toBeLessThan(0.2)
    },
  )
})

interface Flood {
  responses: Promise<Array<CallResponse & { at: number }>>
  isDone: boolean
}

/** Sends `count` concurrent attempts with wrong passwords. */
function startFlood(count: number, login: string): Flood {
  const attempts = Array.from({ length: count }, async (_, n) => {
    const response = await call(`${hookline.url}/api/hooks?u=${login}&p=wrong-password-${n}`)
    return { ...response, at: performance.now() }
  })
  const flood: Flood = { responses: Promise.all(attempts), isDone: false }
  void flood.responses.finally(() => (flood.isDone = true))
  return flood
}
