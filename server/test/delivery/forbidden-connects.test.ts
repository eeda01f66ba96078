/**
 * Tests that no byte is sent to an address that is not public. Not even a connect may be attempted, so every connect of
 * this process is recorded in Node. None leaves the host: connects to public addresses go to a receiver on loopback.
 */
import { once } from 'node:events'
import { createServer, isIP, Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isPublicIp } from '../../src/model/ip.ts'
import type { Outcome } from '../../src/model/delivery/outcome.ts'
import { normalizeTargetUrl } from '../../src/model/target-url.ts'
import { createConnections } from '../../src/delivery/transport/connections.ts'
import { createResolver } from '../../src/delivery/transport/resolve.ts'
import { createSend } from '../../src/delivery/transport/send.ts'
import { createDispatch, type Dispatch } from '../../src/service/transport.ts'
import { decideNextStep } from '../../src/delivery/retry/retry-policy.ts'
import { reservedPort } from '../../../dev/ports.ts'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { call } from '../support/http-call.ts'
import {
  describedZone,
  type DnsServer,
  publicIp,
  startDnsServer,
  type Zone,
} from '../support/servers/dns-server.ts'
import addresses from '../support/fixtures/addresses.json' with { type: 'json' }
import targetCases from '../support/fixtures/target-urls.json' with { type: 'json' }
import { createGateway } from '../support/gateway.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

interface Sender {
  attempt: (url: string) => Promise<Outcome>
  /** Closes the kept-alive connections. */
  close: () => Promise<void>
}

function createSender(dnsServer: string): Sender {
  const connections = createConnections(
    createResolver({ servers: [dnsServer], isAllowed: isPublicIp, allowPrivate: false }).resolve,
  )
  const send = createSend(connections)
  return {
    attempt: (url) => send({ accountId: 1, method: 'POST', url, headers: [], body: '{}', deadlineMs: 5_000 }),
    close: () => connections.close(),
  }
}

/** Returns the outcome of one attempt with the given DNS zone. */
async function outcomeWith(zone: Zone): Promise<Outcome> {
  const testDns = await startDnsServer(zone)
  const testSender = createSender(testDns.address)
  const outcome = await testSender.attempt('http://example.com/')
  await testSender.close()
  await testDns.close()
  return outcome
}

/** Sends to the URLs one after the other, and returns the reasons. */
async function reasonsOf({ send, close }: Dispatch, urls: readonly string[]): Promise<string[]> {
  const reasons: string[] = []
  for (const url of urls) {
    const request = { accountId: 1, method: 'POST', url, headers: [], body: '{}', deadlineMs: 5_000 } as const
    reasons.push((await send({ ...request, headers: [] })).reason)
  }
  await close()
  return reasons
}

function urlOf(ip: string): string {
  return isIP(ip) === 6 ? `http://[${ip}]:8080/` : `http://${ip}:8080/`
}

function testUrl(label: string): string {
  return `http://${label}.t.test-dns/`
}

function casesWithVerdict(verdict: string) {
  return targetCases
    .filter((entry) => entry.verdict === verdict)
    .map(({ input, group }) => [shortened(input), input, group] as const)
}

describe('the sender', () => {
  type Connect = (this: Socket, ...args: unknown[]) => Socket
  const realConnect = Reflect.get(Socket.prototype, 'connect') as Connect
  // No server listens on this port.
  const refusingPort = 1

  let receiver: Receiver
  let dns: DnsServer
  let sender: Sender
  /** `host port` of every attempt, as requested. */
  let connects: string[]
  /** Returns the loopback port that an attempt connects to. */
  let loopbackPortFor: (host: string) => number

  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())
  beforeEach(async () => {
    connects = []
    loopbackPortFor = () => portOf(receiver)
    const recording: Connect = function (...args) {
      const [firstArg] = args
      const { host, port } = (Array.isArray(firstArg) ? firstArg[0] : firstArg) as {
        host: string
        port: number
      }
      connects.push(`${host} ${port}`)
      return realConnect.call(this, { host: '127.0.0.1', port: loopbackPortFor(host) })
    }
    Socket.prototype.connect = recording
    dns = await startDnsServer(describedZone())
    sender = createSender(dns.address)
  })
  afterEach(async () => {
    Socket.prototype.connect = realConnect
    await sender.close()
    await dns.close()
  })

  async function reasonOf(url: string): Promise<string> {
    return (await sender.attempt(url)).reason
  }

  function expectServiceFault(outcome: Outcome): void {
    expect(outcome.reason).toBe('resolver_down')
    expect(connects).toEqual([])
    expect(
      decideNextStep({
        isTimeSensitive: false,
        retryPolicy: 'standard',
        attempts: 12,
        ageMs: 60_000,
        outcome,
        random: 1,
      }),
    ).toEqual({
      state: 'waiting',
      delayMs: 5_000,
      countsAsAttempt: false,
      isRetryAfter: false,
    })
  }

  test('records every attempted connect', () => {
    new Socket()
      .on('error', () => {})
      .connect({ host: '192.0.2.7', port: 7 })
      .destroy()
    expect(connects).toEqual(['192.0.2.7 7'])
  })

  describe('given a literal', () => {
    test.each(addresses.deny)('never connects to %s', async (ip) => {
      expect(await reasonOf(urlOf(ip))).toBe('forbidden_address')
      expect(connects).toEqual([])
    })

    test.each(addresses.allow)('connects to %s once', async (ip) => {
      expect(await reasonOf(urlOf(ip))).toBe('delivered')
      expect(connects).toEqual([`${ip} 8080`])
    })

    test('sends no DNS query', async () => {
      await sender.attempt('http://8.8.8.8/')
      await sender.attempt('http://127.0.0.1/')
      expect(dns.queries).toEqual([])
    })
  })

  describe('given a name', () => {
    test.each(addresses.deny)('never connects to %s', async (ip) => {
      expect((await outcomeWith(() => ({ addresses: [ip] }))).reason).toBe('forbidden_address')
      expect(connects).toEqual([])
    })

    test.each(addresses.allow)('connects to %s once', async (ip) => {
      expect((await outcomeWith(() => ({ addresses: [ip] }))).reason).toBe('delivered')
      expect(connects).toEqual([`${ip} 80`])
    })
  })

  describe('given a URL of the fixtures', () => {
    const rules = {
      maxBytes: 2_048,
      allowPrivate: false,
      ownHosts: new Set<string>(),
      ownPorts: new Set<number>(),
    }

    test.each(casesWithVerdict('refuse-at-connect').filter(([, input]) => !input.includes('rebind')))(
      '%s: refuses to connect',
      async (_title, input) => {
        expect(await reasonOf(normalizeTargetUrl(input, rules))).toBe('forbidden_address')
        expect(connects).toEqual([])
      },
    )

    test.each(casesWithVerdict('dns-failure'))('%s: has no address to connect to', async (_title, input) => {
      // The resolver has responded before, so a missing response is a fault of the name.
      await sender.attempt('http://x.test/')
      expect(await reasonOf(normalizeTargetUrl(input, rules))).toBe('name_not_found')
      expect(connects).toEqual([])
    })

    test.each([...casesWithVerdict('accept'), ...casesWithVerdict('allowed-if-public')])(
      '%s: connects to the public address and no other',
      async (_title, input, group) => {
        const url = normalizeTargetUrl(input, rules)
        const reason = await reasonOf(url)
        if (group.startsWith('reserved for documentation')) {
          expect([reason, connects]).toEqual(['name_not_found', []])
          return
        }
        // The receiver on loopback does not speak TLS.
        expect(reason).toBe(url.startsWith('https:') ? 'tls' : 'delivered')
        expect(connects).toHaveLength(1)
        expect(connects[0]?.split(' ')[0]).toBeOneOf([
          publicIp,
          '8.8.8.8',
          '1.1.1.1',
          '2606:4700:4700::1111',
          '2a00:1450:4001:81b::200e',
        ])
      },
    )

    /** URLs that registration rejects, in case one ever gets this far. */
    const rejected = casesWithVerdict('reject')
    const internalTargets = rejected.filter(([, , group]) =>
      [
        'loopback spelling',
        'cloud metadata / platform name',
        'private / special',
        'reserved, single-label or malformed name',
      ].includes(group),
    )
    const otherReasons: Record<string, string> = {
      'http://127.0.0.1%20/': 'no address',
      'http://a..b/': 'name_not_found',
      'http://x.onion/': 'name_not_found',
      [`http://${'a'.repeat(64)}.com/`]: 'name_not_found',
      [`http://${'a.'.repeat(127)}com/`]: 'name_not_found',
    }

    // An invalid name that resolves to a public address.
    const publicName = 'http://-a.example.com/'

    test.each(internalTargets.filter(([, input]) => input !== publicName))(
      '%s: does not connect',
      async (_title, input) => {
        const reason = await reasonOf(input).catch(() => 'no address')
        expect(reason).toBe(otherReasons[input] ?? 'forbidden_address')
        expect(connects).toEqual([])
      },
    )

    const others = rejected.filter((entry) => !internalTargets.includes(entry))

    test.each(others)('%s: connects only to public addresses', async (_title, input) => {
      await reasonOf(input).catch(() => 'no address')
      expect(connects.filter((connect) => !connect.startsWith(`${publicIp} `))).toEqual([])
    })
  })

  describe('given a DNS response', () => {
    test.each(['a-public-aaaa-private', '17-a-records', 'tcp-truncated-private'])(
      '%s: refuses to connect',
      async (label) => {
        expect(await reasonOf(testUrl(label))).toBe('forbidden_address')
        expect(connects).toEqual([])
      },
    )

    test('for one family only, waits at most 2 s for the other and does not connect', async () => {
      await sender.attempt(testUrl('nxdomain'))
      const startedAt = performance.now()
      expect(await reasonOf(testUrl('a-public-aaaa-silent'))).toBe('name_not_found')
      // With tolerance for a busy machine. The next limit is the deadline, after 5 s.
      expect(performance.now() - startedAt).toBeLessThan(4_500)
      expect(connects).toEqual([])
    })

    test('that is truncated, queries again over TCP', async () => {
      await sender.attempt(testUrl('tcp-truncated'))
      expect(dns.queries.filter(({ type }) => type === 'A').map(({ via }) => via)).toEqual(['udp', 'tcp'])
    })

    test('with a CNAME, connects to the address it resolves to', async () => {
      expect(await reasonOf(testUrl('cname-to-public'))).toBe('delivered')
      expect(connects).toEqual([`${publicIp} 80`])
    })

    test('with 16 addresses, tries each of them and no others', async () => {
      loopbackPortFor = () => refusingPort
      expect(await reasonOf(testUrl('16-a-records'))).toBe('connection_refused')
      const all = Array.from({ length: 16 }, (_, last) => `93.184.216.${last} 80`)
      expect(connects.toSorted()).toEqual(all.toSorted())
    })

    test('with several addresses, uses the second if the first refuses', async () => {
      loopbackPortFor = (host) => (host === '93.184.216.1' ? refusingPort : portOf(receiver))
      expect(await reasonOf(testUrl('three-a-records'))).toBe('delivered')
      expect(connects).toEqual(['93.184.216.1 80', '93.184.216.2 80'])
    })
  })

  describe('given a name subject to DNS rebinding', () => {
    const url = 'http://rebind-ttl0-public-then-127.t.test-dns/'

    test('queries once, and connects to the address that was checked', async () => {
      expect(await reasonOf(url)).toBe('delivered')
      expect(connects).toEqual([`${publicIp} 80`])
      expect(dns.queries.filter(({ type }) => type === 'A')).toHaveLength(1)
      expect(dns.queries.filter(({ type }) => type === 'AAAA')).toHaveLength(1)
    })

    test('checks the address again on the next attempt', async () => {
      expect(await reasonOf(url)).toBe('delivered')
      await sender.close()
      expect(await reasonOf(url)).toBe('forbidden_address')
      expect(connects).toEqual([`${publicIp} 80`])
    })

    test('reuses an open connection', async () => {
      expect(await reasonOf(url)).toBe('delivered')
      expect(await reasonOf(url)).toBe('delivered')
      expect(connects).toEqual([`${publicIp} 80`])
    })

    test('checks the address again if a connection broke and the request is repeated', async () => {
      const breaking = await startReceiver((_request, response, count) => {
        if (count === 2) response.destroy()
        else response.end()
      })
      loopbackPortFor = () => portOf(breaking)
      expect(await reasonOf(url)).toBe('delivered')
      expect(await reasonOf(url)).toBe('forbidden_address')
      expect(connects).toEqual([`${publicIp} 80`])
      expect(breaking.requests).toHaveLength(2)
      await breaking.close()
    })
  })

  describe('given a name that leads to Hookline itself', () => {
    const serviceIp = '93.184.216.99'
    const serviceIpv6 = '2606:2800:220:1::99'
    const zone: Zone = ({ name }) => {
      if (name === 'alias.example.com') return { cnames: ['hookline.example.org'], addresses: [serviceIp] }
      if (name === 'alias-elsewhere.example.com')
        return { cnames: ['HOOKLINE.example.org'], addresses: [publicIp] }
      if (name === 'one-of-two.example.com') return { addresses: [publicIp, serviceIp] }
      if (name === 'ipv6.example.com') return { addresses: [serviceIpv6] }
      if (name === 'private.example.org') return { addresses: ['10.0.0.7'] }
      if (name === 'metadata.example.org') return { addresses: ['169.254.169.254'] }
      if (name === 'other.example.com') return { addresses: [publicIp] }
      return { addresses: [serviceIp, serviceIpv6] }
    }
    let testDns: DnsServer
    beforeEach(async () => {
      testDns = await startDnsServer(zone)
    })
    afterEach(() => testDns.close())

    function createOwnDispatch(
      hasDedicatedAddresses = true,
      hasCanary = true,
      ownOrigin = 'http://hookline.example.org',
    ): Dispatch {
      const settings = {
        dnsServers: [testDns.address],
        allowPrivateTargets: false,
        ownHosts: [new URL(ownOrigin).hostname, 'admin.example.org'],
        hasDedicatedAddresses,
        ownOrigin,
        hasCanary,
      }
      return createDispatch(settings, Date.now)
    }

    async function reasonFor(host: string, hasDedicatedAddresses = true): Promise<string> {
      const [reason = ''] = await reasonsOf(createOwnDispatch(hasDedicatedAddresses), [`http://${host}/`])
      return reason
    }

    const token = `1-${'A'.repeat(43)}`
    const ownTarget = `http://hookline.example.org/test-receiver/${token}`

    test.each([
      ['by an address of the service', 'loop.example.com'],
      ['by IPv6 only', 'ipv6.example.com'],
      ['by one of several addresses', 'one-of-two.example.com'],
      ['by an alias', 'alias.example.com'],
      ['by an alias that has moved', 'alias-elsewhere.example.com'],
      ['by a literal', serviceIp],
      ['by a literal in hexadecimal', '0x5db8d863'],
      ['by a literal of IPv6 in full', '[2606:2800:0220:0001:0000:0000:0000:0099]'],
      ['by a name that was added to the service later', 'admin.example.org'],
    ])('%s: does not connect', async (_label, host) => {
      expect(await reasonFor(host)).toBe('own_address')
      expect(connects).toEqual([])
    })

    test('but has another address, connects', async () => {
      expect(await reasonFor('other.example.com')).toBe('delivered')
      expect(connects).toEqual([`${publicIp} 80`])
    })

    test('connects to the exact paths of the canary and the test receiver', async () => {
      const urls = ['http://hookline.example.org/canary', ownTarget, `${ownTarget}?id=1`]
      expect(await reasonsOf(createOwnDispatch(), urls)).toEqual(urls.map(() => 'delivered'))
      expect(connects).toHaveLength(1)
    })

    test.each([
      ['the start page', 'http://hookline.example.org/'],
      ['the API', 'http://hookline.example.org/api/hooks'],
      ['no token', 'http://hookline.example.org/test-receiver/'],
      ['the test receiver of another account', ownTarget.replace('/1-', '/2-')],
      ['a short token', 'http://hookline.example.org/test-receiver/1-AAAA'],
      ['a path below', `${ownTarget}/x`],
      ['a trailing slash', `${ownTarget}/`],
      ['dots', `${ownTarget}/../../api/hooks`],
      ['encoded dots', `${ownTarget}/%2e%2e/%2E%2E/api/hooks`],
      ['an encoded slash', `http://hookline.example.org/test-receiver%2f${token}`],
      ['an encoded token', `http://hookline.example.org/test-receiver/%31-${'A'.repeat(43)}`],
      ['a backslash', `http://hookline.example.org/test-receiver/${token}\\..\\..\\api`],
      ['two slashes', `http://hookline.example.org//test-receiver/${token}`],
      ['upper case', `http://hookline.example.org/TEST-RECEIVER/${token}`],
      ['another port', `http://hookline.example.org:8080/test-receiver/${token}`],
      ['another scheme', `https://hookline.example.org/test-receiver/${token}`],
      ['a user name', `http://user@hookline.example.org/test-receiver/${token}`],
      ['another own name', `http://admin.example.org/test-receiver/${token}`],
      ['a trailing dot', `http://hookline.example.org./test-receiver/${token}`],
      ['another name of the address', `http://loop.example.com/test-receiver/${token}`],
      ['an alias', `http://alias.example.com/test-receiver/${token}`],
      ['the address', `http://${serviceIp}/test-receiver/${token}`],
      ['the IPv6 address', `http://[${serviceIpv6}]/test-receiver/${token}`],
      ['a path below the canary', 'http://hookline.example.org/canary/x'],
    ])('does not connect to another URL of Hookline: %s', async (_label, url) => {
      expect(await reasonsOf(createOwnDispatch(), [url])).toEqual(['own_address'])
      expect(connects).toEqual([])
    })

    test('never uses a connection to the test receiver for another path', async () => {
      const urls = [ownTarget, 'http://hookline.example.org/api/hooks', ownTarget]
      expect(await reasonsOf(createOwnDispatch(), urls)).toEqual(['delivered', 'own_address', 'delivered'])
    })

    test.each([
      ['localhost', 'http://localhost:8080', '127.0.0.1 8080'],
      ['a loopback address', 'http://127.0.0.1:8080', '127.0.0.1 8080'],
      ['a name with a private address', 'http://private.example.org', '10.0.0.7 80'],
    ])('at %s, connects to the exact path only', async (_label, origin, connect) => {
      const { host } = new URL(origin)
      const path = `/test-receiver/${token}`
      const refused = [
        `${origin}/`,
        `${origin}/api/hooks`,
        `${origin}/canary`,
        `${origin}${path}/`,
        `${origin}/test-receiver/2-${'A'.repeat(43)}`,
        `http://x@${host}/api/hooks`,
        `http://localhost:9090${path}`,
        `http://[::1]:8080${path}`,
        `http://127.0.0.2:8080${path}`,
        `http://10.0.0.7:81${path}`,
      ]
      const reasons = await reasonsOf(createOwnDispatch(true, false, origin), refused)
      expect(reasons.filter((reason) => reason === 'delivered')).toEqual([])
      expect(connects).toEqual([])
      expect(await reasonsOf(createOwnDispatch(true, false, origin), [origin + path])).toEqual(['delivered'])
      expect(connects).toEqual([connect])
    })

    test('at a metadata address, never connects', async () => {
      const origin = 'http://metadata.example.org'
      const urls = [`${origin}/test-receiver/${token}`]
      expect(await reasonsOf(createOwnDispatch(true, true, origin), urls)).toEqual(['forbidden_address'])
      expect(connects).toEqual([])
    })

    test('without a canary, does not connect to its path', async () => {
      const urls = ['http://hookline.example.org/canary']
      expect(await reasonsOf(createOwnDispatch(true, false), urls)).toEqual(['own_address'])
    })

    test('with shared addresses, refuses only the alias', async () => {
      expect(await reasonFor('loop.example.com', false)).toBe('delivered')
      expect(connects).toHaveLength(1)
      expect(await reasonFor('alias.example.com', false)).toBe('own_address')
      expect(connects).toHaveLength(1)
    })

    test('does not retry, because every attempt would fail', () => {
      const outcome = { reason: 'own_address', timings: { totalMs: 1 } } as const
      expect(
        decideNextStep({
          isTimeSensitive: false,
          retryPolicy: 'standard',
          attempts: 1,
          ageMs: 0,
          outcome,
          random: 0,
        }),
      ).toEqual({
        state: 'failed',
      })
    })
  })

  describe('given a resolver that is down', () => {
    let port: number
    beforeAll(async () => {
      port = await reservedPort()
    })

    test('on a closed port: the fault is of the service', async () => {
      const testSender = createSender(`127.0.0.1:${port}`)
      expectServiceFault(await testSender.attempt('http://example.com/'))
      await testSender.close()
    })

    test('without any response so far: the fault is of the service', async () => {
      expectServiceFault(await outcomeWith(() => undefined))
    })

    test('that refuses queries: the fault is of the service', async () => {
      expectServiceFault(await outcomeWith(() => ({ rcode: 'REFUSED' })))
    })
  })
})

describe('a worker', () => {
  let hookline: TestService
  let dns: DnsServer
  let dnsPort: number

  beforeAll(async () => {
    dnsPort = await reservedPort()
    hookline = await startTestService({ DNS_SERVERS: `127.0.0.1:${dnsPort}` })
  })
  afterAll(async () => {
    await hookline.close()
    await dns.close()
  })

  test(
    'waits without using attempts while the resolver is down, and never connects to loopback by name',
    { timeout: 90_000 },
    async () => {
      let connections = 0
      const listener = createServer((socket) => {
        connections++
        socket.destroy()
      })
      listener.listen(0, '127.0.0.1')
      await once(listener, 'listening')
      const { port } = listener.address() as { port: number }
      const { accountId, key } = await hookline.account()
      const form = { target_url: `http://a-127-0-0-1.t.test-dns:${port}/`, event_type: 'all' }
      await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })
      const event = await (await createGateway(hookline)).event(accountId)

      // The first attempt failed without counting, and the next is scheduled.
      await expect
        .poll(
          () =>
            hookline.database.query(
              'SELECT attempts, lease IS NULL AND due_at > now() AS waits FROM work WHERE event_id = $1',
              [event],
            ),
          { timeout: 30_000 },
        )
        .toEqual([{ attempts: 0, waits: true }])
      expect(await hookline.database.query('SELECT FROM all_attempts WHERE event_id = $1', [event])).toEqual(
        [],
      )

      dns = await startDnsServer(describedZone(), dnsPort)
      await expect
        .poll(
          () =>
            hookline.database.query('SELECT state, reason, attempts FROM deliveries WHERE event_id = $1', [
              event,
            ]),
          { timeout: 30_000 },
        )
        .toEqual([{ state: 'failed', reason: 'forbidden_address', attempts: 1 }])
      expect(connections).toBe(0)
      await new Promise((resolve) => listener.close(resolve))
    },
  )
})

function portOf(receiver: Receiver): number {
  return Number(new URL(receiver.url()).port)
}

function shortened(text: string): string {
  const quoted = JSON.stringify(text)
  return quoted.length > 90 ? `${quoted.slice(0, 70)}… (${text.length} characters)` : quoted
}
