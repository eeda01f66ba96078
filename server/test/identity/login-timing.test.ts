/**
 * Responses do not reveal which logins exist: an unknown login and a wrong password give identical bytes in equal time.
 * Equal time is measured by the area under the ROC curve (AUC): the probability that, of one response of each kind, the
 * one for the unknown login took longer. 0.5 means indistinguishable; near 0 or 1 means distinguishable. With 1,000
 * attempts of each kind, random variation stays within 0.5 ± 0.05 in all but one of 10,000 runs.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/test-service.ts'

const attemptsPerKind = 1_000

describe('AUC', () => {
  test('the AUC of small samples is exact', () => {
    expect(auc([1, 2, 3], [4, 5, 6])).toBe(0)
    expect(auc([4, 5, 6], [1, 2, 3])).toBe(1)
    expect(auc([1, 1, 1], [1, 1])).toBe(0.5)
    expect(auc([1, 3], [2])).toBe(0.5)
    // Of the six pairs, the first value is larger in four and equal in one.
    expect(auc([2, 3, 5], [1, 3])).toBe(0.75)
  })

  test('the AUC detects a shift of half a standard deviation and no shift in equal samples', () => {
    const normal = normalNumbers(1)
    const one = Array.from({ length: attemptsPerKind }, normal)
    const same = Array.from({ length: attemptsPerKind }, normal)
    const later = Array.from({ length: attemptsPerKind }, () => normal() + 0.5)
    expect(auc(one, same)).toBeGreaterThan(0.45)
    expect(auc(one, same)).toBeLessThan(0.55)
    // Half a standard deviation gives an AUC of 0.638.
    expect(auc(later, one)).toBeGreaterThan(0.58)
    expect(auc(one, later)).toBeLessThan(0.42)
  })
})

describe('a failed sign-in', () => {
  let hookline: TestService
  // Uses one connection, because new connections add noise.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  beforeAll(async () => {
    hookline = await startTestService({ LOGIN_ATTEMPTS: '0' })
  })
  afterAll(async () => {
    agent.destroy()
    await hookline.close()
  })

  const names = ['alias', 'email'] as const
  test.each(names)('responses are identical for an existing and an unknown %s', async (name) => {
    const account = await hookline.account()
    const unknown =
      name === 'alias'
        ? randomUnknownLogin(account.alias)
        : `${randomUnknownLogin(account.alias)}@example.com`
    const wrongPassword = await attempt(account[name], 'wrong-password')
    const unknownLogin = await attempt(unknown, 'wrong-password')
    expect(wrongPassword.status).toBe(401)
    expect(unknownLogin.status).toBe(401)
    expect(unknownLogin.text).toBe(wrongPassword.text)
    expect(JSON.parse(wrongPassword.text)).toMatchObject({ success: false, code: 900 })
    expect(stableHeaders(unknownLogin.lines)).toEqual(stableHeaders(wrongPassword.lines))
    expect(wrongPassword.lines.length).toBeGreaterThan(5)
  })

  test('response times are equal for existing and unknown logins', { timeout: 900_000 }, async () => {
    const account = await hookline.account()
    const right = await attempt(account.alias, account.password)
    expect(right.status, 'the login works').toBe(200)
    for (let warmUp = 0; warmUp < 50; warmUp++)
      await attempt(randomUnknownLogin(account.alias), 'wrong-password')

    const timings = { known: [] as number[], unknown: [] as number[] }
    const sockets = new Set<unknown>()
    for (const kind of shuffledKinds(attemptsPerKind)) {
      // Each unknown attempt uses a new name, so that no cache applies.
      const login = kind === 'known' ? account.alias : randomUnknownLogin(account.alias)
      const response = await attempt(login, randomBytes(12).toString('hex'))
      expect(response.status).toBe(401)
      timings[kind].push(response.ms)
      sockets.add(response.localPort)
    }
    expect(timings.known).toHaveLength(attemptsPerKind)
    expect(timings.unknown).toHaveLength(attemptsPerKind)
    expect(sockets.size, 'connections').toBe(1)
    // Both kinds were hashed, because a call rejected without hashing is much faster.
    const unhashed: number[] = []
    for (let calls = 0; calls < 50; calls++) unhashed.push((await attempt('', 'no-key')).ms)
    // The fastest call of each kind is the least affected by load.
    expect(Math.min(...timings.known)).toBeGreaterThan(2 * Math.min(...unhashed))
    expect(Math.min(...timings.unknown)).toBeGreaterThan(2 * Math.min(...unhashed))

    const measured = auc(timings.unknown, timings.known)
    console.log(
      `AUC ${measured.toFixed(4)}; medians: unknown ${median(timings.unknown).toFixed(2)} ms, known ${median(timings.known).toFixed(2)} ms`,
    )
    expect(measured).toBeGreaterThan(0.45)
    expect(measured).toBeLessThan(0.55)
  })

  interface Attempt {
    status: number
    lines: Array<[name: string, value: IncomingHttpHeaders[string]]>
    text: string
    ms: number
    localPort: number | undefined
  }

  function attempt(login: string, password: string): Promise<Attempt> {
    const body = new URLSearchParams({ u: login, p: password, action: 'read' }).toString()
    return new Promise((resolve, reject) => {
      const startedAt = performance.now()
      const sent = request(`${hookline.url}/api/hooks`, {
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(body),
        },
      })
      sent.once('error', reject)
      sent.once('response', (response) => {
        const ms = performance.now() - startedAt
        const { localPort } = response.socket
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            lines: Object.entries(response.headers),
            text,
            ms,
            localPort,
          }),
        )
      })
      sent.end(body)
    })
  }
})

/** Returns an unknown login of the same length as `alias`. */
function randomUnknownLogin(alias: string): string {
  return `none-${randomBytes(32).toString('hex')}`.slice(0, alias.length)
}

/** Returns the header lines in order, without those that differ in every response. */
function stableHeaders(lines: Array<[string, unknown]>): Array<[string, unknown]> {
  return lines.filter(([name]) => name !== 'date' && name !== 'x-request-id')
}

/** Returns `perKind` attempts of each kind in random order. */
function shuffledKinds(perKind: number): Array<'known' | 'unknown'> {
  const kinds = Array.from({ length: 2 * perKind }, (_, index) => (index < perKind ? 'known' : 'unknown'))
  for (let last = kinds.length - 1; last > 0; last--) {
    const index = randomInt(last + 1)
    const swapped = kinds[index]
    kinds[index] = kinds[last] ?? 'known'
    kinds[last] = swapped ?? 'known'
  }
  return kinds
}

/** Returns the probability that a value of `first` exceeds one of `second`; equal values count half. */
function auc(first: readonly number[], second: readonly number[]): number {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ].toSorted((a, b) => a.value - b.value)
  let rankSum = 0
  for (let start = 0; start < all.length;) {
    let end = start
    while (end < all.length && all[end]?.value === all[start]?.value) end++
    // Equal values share the mean of their ranks, which count from one.
    const rank = (start + 1 + end) / 2
    rankSum += rank * all.slice(start, end).filter(({ isFirst }) => isFirst).length
    start = end
  }
  const wins = rankSum - (first.length * (first.length + 1)) / 2
  return wins / (first.length * second.length)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Returns normally distributed numbers (Box-Muller transform), reproducible by seed (Lehmer generator). */
function normalNumbers(seed: number): () => number {
  let state = seed
  const uniform = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}
