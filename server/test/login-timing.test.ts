/**
 * Nobody can find out which logins exist: an unknown login and a wrong password are answered alike, to the byte, and
 * equally fast. "Equally" is measured by the area under the ROC curve (AUC): the chance that, of one answer of each
 * kind, the one for the unknown login took longer. 0.5 is a coin; whoever can tell the two apart has an AUC near 0 or 1.
 * With 1,000 tries of each, chance alone keeps it within 0.5 ± 0.05 in all but one of 10,000 runs.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type TestWorld } from './service.ts'

const triesOfEach = 1_000

describe('the statistic', () => {
  test('knows exact answers', () => {
    expect(auc([1, 2, 3], [4, 5, 6])).toBe(0)
    expect(auc([4, 5, 6], [1, 2, 3])).toBe(1)
    expect(auc([1, 1, 1], [1, 1])).toBe(0.5)
    expect(auc([1, 3], [2])).toBe(0.5)
    // Of the six pairs the first is larger in four and equal in one.
    expect(auc([2, 3, 5], [1, 3])).toBe(0.75)
  })

  test('sees a shift of half a standard deviation, and none where there is none', () => {
    const normal = normalNumbers(1)
    const one = Array.from({ length: triesOfEach }, normal)
    const same = Array.from({ length: triesOfEach }, normal)
    const later = Array.from({ length: triesOfEach }, () => normal() + 0.5)
    expect(auc(one, same)).toBeGreaterThan(0.45)
    expect(auc(one, same)).toBeLessThan(0.55)
    // Half a standard deviation makes an AUC of 0.638.
    expect(auc(later, one)).toBeGreaterThan(0.58)
    expect(auc(one, later)).toBeLessThan(0.42)
  })
})

describe('a sign-in that fails', () => {
  let world: TestWorld
  // One connection for everything: a new one would add its own noise.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  beforeAll(async () => {
    world = await startWorld({ LOGIN_ATTEMPTS: '0' })
  })
  afterAll(async () => {
    agent.destroy()
    await world.close()
  })

  const names = ['alias', 'email'] as const
  test.each(names)('is answered alike whether or not the %s exists', async (name) => {
    const account = await world.account()
    const unknown = name === 'alias' ? nobodyLike(account.alias) : `${nobodyLike(account.alias)}@example.com`
    const wrongPassword = await attempt(account[name], 'wrong-password')
    const unknownLogin = await attempt(unknown, 'wrong-password')
    expect(wrongPassword.status).toBe(401)
    expect(unknownLogin.status).toBe(401)
    expect(unknownLogin.text).toBe(wrongPassword.text)
    expect(JSON.parse(wrongPassword.text)).toMatchObject({ success: false, code: 900 })
    expect(comparable(unknownLogin.lines)).toEqual(comparable(wrongPassword.lines))
    expect(wrongPassword.lines.length).toBeGreaterThan(5)
  })

  test('takes as long whether or not the login exists', { timeout: 900_000 }, async () => {
    const account = await world.account()
    const right = await attempt(account.alias, account.password)
    expect(right.status, 'the login works').toBe(200)
    for (let warmUp = 0; warmUp < 50; warmUp++) await attempt(nobodyLike(account.alias), 'wrong-password')

    const timings = { known: [] as number[], unknown: [] as number[] }
    const sockets = new Set<unknown>()
    for (const kind of shuffled(triesOfEach)) {
      // A name of its own for each unknown try, so that none is remembered anywhere.
      const login = kind === 'known' ? account.alias : nobodyLike(account.alias)
      const answer = await attempt(login, randomBytes(12).toString('hex'))
      expect(answer.status).toBe(401)
      timings[kind].push(answer.ms)
      sockets.add(answer.localPort)
    }
    expect(timings.known).toHaveLength(triesOfEach)
    expect(timings.unknown).toHaveLength(triesOfEach)
    expect(sockets.size, 'connections').toBe(1)
    // Both were hashed: a call that is refused without that is much faster.
    const unhashed: number[] = []
    for (let calls = 0; calls < 50; calls++) unhashed.push((await attempt('', 'no-key')).ms)
    // The fastest of each are those that a busy machine held up least.
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
      const sent = request(`${world.url}/api/hooks`, {
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(body),
        },
      })
      sent.once('error', reject)
      sent.once('response', (answer) => {
        const ms = performance.now() - startedAt
        const { localPort } = answer.socket
        let text = ''
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
        answer.once('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            lines: Object.entries(answer.headers),
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

/** A login nobody has, as long as one that somebody has. */
function nobodyLike(alias: string): string {
  return `none-${randomBytes(32).toString('hex')}`.slice(0, alias.length)
}

/** Header lines in their order, without those that differ from answer to answer by their nature. */
function comparable(lines: Array<[string, unknown]>): Array<[string, unknown]> {
  return lines.filter(([name]) => name !== 'date' && name !== 'x-request-id')
}

/** As many tries of each kind, in random order. */
function shuffled(each: number): Array<'known' | 'unknown'> {
  const kinds = Array.from({ length: 2 * each }, (_, place) => (place < each ? 'known' : 'unknown'))
  for (let last = kinds.length - 1; last > 0; last--) {
    const place = randomInt(last + 1)
    const moved = kinds[place]
    kinds[place] = kinds[last] ?? 'known'
    kinds[last] = moved ?? 'known'
  }
  return kinds
}

/** The chance that a value of the first sample is larger than one of the second; equal ones count half. */
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

/** Numbers from the standard normal distribution (Box and Muller), the same ones in every run (Lehmer's generator). */
function normalNumbers(seed: number): () => number {
  let state = seed
  const uniform = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}
