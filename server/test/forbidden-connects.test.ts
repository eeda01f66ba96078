/**
 * No byte leaves for an address that is not public. What counts is that no connect is attempted, so every attempt of this
 * process is recorded where Node makes it, and none leaves: those to public addresses are led to a receiver on loopback.
 */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, isIP, Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isPublicIp } from '../src/model/ip.ts'
import type { Outcome } from '../src/model/outcome.ts'
import { normaliseTargetUrl } from '../src/model/target-url.ts'
import { createConnections } from '../src/pipeline/dispatch/connections.ts'
import { createResolver } from '../src/pipeline/dispatch/resolve.ts'
import { createSend } from '../src/pipeline/dispatch/send.ts'
import { decide } from '../src/pipeline/retry/decide.ts'
import { freePort } from '../../dev/ports.ts'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { call } from './call.ts'
import { describedZone, type DnsServer, publicIp, startDnsServer, type Zone } from './dns-server.ts'
import addresses from './fixtures/addresses.json' with { type: 'json' }
import targetCases from './fixtures/target-urls.json' with { type: 'json' }
import { createGateway } from './gateway.ts'
import { startWorld, type TestWorld } from './service.ts'

interface Sender {
  attempt: (url: string) => Promise<Outcome>
  /** Ends the connections that are kept. */
  close: () => Promise<void>
}

function createSender(dnsServer: string): Sender {
  const connections = createConnections(
    createResolver({ servers: [dnsServer], isOpen: isPublicIp, allowPrivate: false }).resolve,
  )
  const send = createSend(connections)
  return {
    attempt: (url) => send({ method: 'POST', url, headers: [], body: '{}', deadlineMs: 5_000 }),
    close: () => connections.close(),
  }
}

/** What one attempt becomes when names have these answers. */
async function outcomeWith(zone: Zone): Promise<Outcome> {
  const ownDns = await startDnsServer(zone)
  const ownSender = createSender(ownDns.address)
  const outcome = await ownSender.attempt('http://example.com/')
  await ownSender.close()
  await ownDns.close()
  return outcome
}

function urlOf(ip: string): string {
  return isIP(ip) === 6 ? `http://[${ip}]:8080/` : `http://${ip}:8080/`
}

function under(label: string): string {
  return `http://${label}.t.test-dns/`
}

function ofVerdict(verdict: string) {
  return targetCases
    .filter((entry) => entry.verdict === verdict)
    .map(({ input, group }) => [shortened(input), input, group] as const)
}

describe('the sender', () => {
  type Connect = (this: Socket, ...args: unknown[]) => Socket
  const realConnect = Reflect.get(Socket.prototype, 'connect') as Connect
  // Nobody listens there.
  const refusingPort = 1

  let receiver: Receiver
  let dns: DnsServer
  let sender: Sender
  /** `host port` of every attempt, as it was asked for. */
  let connects: string[]
  /** The port of loopback that an attempt is led to. */
  let leadTo: (host: string) => number

  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())
  beforeEach(async () => {
    connects = []
    leadTo = () => portOf(receiver)
    const recording: Connect = function (...args) {
      const [given] = args
      const { host, port } = (Array.isArray(given) ? given[0] : given) as { host: string; port: number }
      connects.push(`${host} ${port}`)
      return realConnect.call(this, { host: '127.0.0.1', port: leadTo(host) })
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

  function expectOurFault(outcome: Outcome): void {
    expect(outcome.reason).toBe('resolver_down')
    expect(connects).toEqual([])
    expect(decide({ type: 'sms_mo', attempts: 12, ageMs: 60_000, outcome, random: 1 })).toEqual({
      state: 'waiting',
      delayMs: 5_000,
      countsAsAttempt: false,
      isAsked: false,
    })
  }

  test('is watched: a connect that is attempted is recorded', () => {
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

    test('asks no resolver', async () => {
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

  describe('given an address of the fixtures', () => {
    const rules = {
      maxBytes: 2_048,
      allowPrivate: false,
      ownHosts: new Set<string>(),
      ownPorts: new Set<number>(),
    }

    test.each(ofVerdict('refuse-at-connect').filter(([, input]) => !input.includes('rebind')))(
      '%s: refuses to connect',
      async (_title, input) => {
        expect(await reasonOf(normaliseTargetUrl(input, rules))).toBe('forbidden_address')
        expect(connects).toEqual([])
      },
    )

    test.each(ofVerdict('dns-failure'))('%s: has no address to connect to', async (_title, input) => {
      // It has answered before, so a silence is the name's.
      await sender.attempt('http://x.test/')
      expect(await reasonOf(normaliseTargetUrl(input, rules))).toBe('name_not_found')
      expect(connects).toEqual([])
    })

    test.each([...ofVerdict('accept'), ...ofVerdict('allowed-if-public')])(
      '%s: connects to the public address and no other',
      async (_title, input, group) => {
        const url = normaliseTargetUrl(input, rules)
        const reason = await reasonOf(url)
        if (group.startsWith('reserved for documentation')) {
          expect([reason, connects]).toEqual(['name_not_found', []])
          return
        }
        // What they are led to speaks no TLS.
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

    /** Those that are refused at registration, should one ever come this far. */
    const rejected = ofVerdict('reject')
    const inside = rejected.filter(([, , group]) =>
      [
        'loopback spelling',
        'cloud metadata / platform name',
        'private / special',
        'reserved, single-label or malformed name',
      ].includes(group),
    )
    const otherwise: Record<string, string> = {
      'http://127.0.0.1%20/': 'no address',
      'http://a..b/': 'name_not_found',
      'http://x.onion/': 'name_not_found',
      [`http://${'a'.repeat(64)}.com/`]: 'name_not_found',
      [`http://${'a.'.repeat(127)}com/`]: 'name_not_found',
    }

    // A name that is not valid but leads outside.
    const outside = 'http://-a.example.com/'

    test.each(inside.filter(([, input]) => input !== outside))(
      '%s: does not connect',
      async (_title, input) => {
        const reason = await reasonOf(input).catch(() => 'no address')
        expect(reason).toBe(otherwise[input] ?? 'forbidden_address')
        expect(connects).toEqual([])
      },
    )

    const others = rejected.filter((entry) => !inside.includes(entry))

    test.each(others)('%s: connects to nothing that is not public', async (_title, input) => {
      await reasonOf(input).catch(() => 'no address')
      expect(connects.filter((connect) => !connect.startsWith(`${publicIp} `))).toEqual([])
    })
  })

  describe('given an answer of the resolver', () => {
    test.each(['a-public-aaaa-private', '17-a-records', 'tcp-truncated-private'])(
      '%s: refuses to connect',
      async (label) => {
        expect(await reasonOf(under(label))).toBe('forbidden_address')
        expect(connects).toEqual([])
      },
    )

    test('for one family only, waits for the other at most 2 s and connects to neither', async () => {
      await sender.attempt(under('nxdomain'))
      const startedAt = performance.now()
      expect(await reasonOf(under('a-public-aaaa-silent'))).toBe('name_not_found')
      // And what a busy machine adds; the next limit would be the deadline, after 5 s.
      expect(performance.now() - startedAt).toBeLessThan(4_500)
      expect(connects).toEqual([])
    })

    test('that is truncated, asks again over TCP', async () => {
      await sender.attempt(under('tcp-truncated'))
      expect(dns.queries.filter(({ type }) => type === 'A').map(({ via }) => via)).toEqual(['udp', 'tcp'])
    })

    test('through a CNAME, connects to the address behind it', async () => {
      expect(await reasonOf(under('cname-to-public'))).toBe('delivered')
      expect(connects).toEqual([`${publicIp} 80`])
    })

    test('with 16 addresses, tries one after the other and none but those', async () => {
      leadTo = () => refusingPort
      expect(await reasonOf(under('16-a-records'))).toBe('connection_refused')
      const all = Array.from({ length: 16 }, (_, last) => `93.184.216.${last} 80`)
      expect(connects.toSorted()).toEqual(all.toSorted())
    })

    test('with several addresses, uses the second when the first refuses', async () => {
      leadTo = (host) => (host === '93.184.216.1' ? refusingPort : portOf(receiver))
      expect(await reasonOf(under('three-a-records'))).toBe('delivered')
      expect(connects).toEqual(['93.184.216.1 80', '93.184.216.2 80'])
    })
  })

  describe('given a name that is bound again', () => {
    const url = 'http://rebind-ttl0-public-then-127.t.test-dns/'

    test('asks once, and connects to the address that was judged', async () => {
      expect(await reasonOf(url)).toBe('delivered')
      expect(connects).toEqual([`${publicIp} 80`])
      expect(dns.queries.filter(({ type }) => type === 'A')).toHaveLength(1)
      expect(dns.queries.filter(({ type }) => type === 'AAAA')).toHaveLength(1)
    })

    test('judges it again at the next attempt', async () => {
      expect(await reasonOf(url)).toBe('delivered')
      await sender.close()
      expect(await reasonOf(url)).toBe('forbidden_address')
      expect(connects).toEqual([`${publicIp} 80`])
    })

    test('stays with a connection that it has', async () => {
      expect(await reasonOf(url)).toBe('delivered')
      expect(await reasonOf(url)).toBe('delivered')
      expect(connects).toEqual([`${publicIp} 80`])
    })

    test('judges it again when a connection broke and it sends once more', async () => {
      const breaking = await startReceiver((_request, response, count) => {
        if (count === 2) response.destroy()
        else response.end()
      })
      leadTo = () => portOf(breaking)
      expect(await reasonOf(url)).toBe('delivered')
      expect(await reasonOf(url)).toBe('forbidden_address')
      expect(connects).toEqual([`${publicIp} 80`])
      expect(breaking.requests).toHaveLength(2)
      await breaking.close()
    })
  })

  describe('given a name that leads to this service', () => {
    const ownIp = '93.184.216.99'
    const ownIpv6 = '2606:2800:220:1::99'
    const zone: Zone = ({ name }) => {
      if (name === 'alias.example.com') return { cnames: ['hookline.example.org'], addresses: [ownIp] }
      if (name === 'alias-elsewhere.example.com')
        return { cnames: ['HOOKLINE.example.org'], addresses: [publicIp] }
      if (name === 'one-of-two.example.com') return { addresses: [publicIp, ownIp] }
      if (name === 'ipv6.example.com') return { addresses: [ownIpv6] }
      if (name === 'other.example.com') return { addresses: [publicIp] }
      return { addresses: [ownIp, ownIpv6] }
    }
    let ownDns: DnsServer
    beforeEach(async () => {
      ownDns = await startDnsServer(zone)
    })
    afterEach(() => ownDns.close())

    async function attempted(host: string, areAddressesOwn = true): Promise<string> {
      const ownConnections = createConnections(
        createResolver({
          servers: [ownDns.address],
          isOpen: isPublicIp,
          allowPrivate: false,
          own: {
            hosts: new Set(['hookline.example.org', 'admin.example.org']),
            areAddressesOwn,
            isExempt: (name) => name === 'hookline.example.org',
          },
        }).resolve,
      )
      const outcome = await createSend(ownConnections)({
        method: 'POST',
        url: `http://${host}/`,
        headers: [],
        body: '{}',
        deadlineMs: 5_000,
      })
      await ownConnections.close()
      return outcome.reason
    }

    test.each([
      ['by an address of its own', 'loop.example.com'],
      ['by IPv6 alone', 'ipv6.example.com'],
      ['by one of several addresses', 'one-of-two.example.com'],
      ['by an alias', 'alias.example.com'],
      ['by an alias that has moved', 'alias-elsewhere.example.com'],
      ['by a literal', ownIp],
      ['by a literal in hexadecimal', '0x5db8d863'],
      ['by a literal of IPv6 in full', '[2606:2800:0220:0001:0000:0000:0000:0099]'],
      ['by a name that became ours later', 'admin.example.org'],
    ])('%s: does not connect', async (_what, host) => {
      expect(await attempted(host)).toBe('own_address')
      expect(connects).toEqual([])
    })

    test('that is not ours after all, connects', async () => {
      expect(await attempted('other.example.com')).toBe('delivered')
      expect(connects).toEqual([`${publicIp} 80`])
    })

    test('as the canary does, connects', async () => {
      expect(await attempted('hookline.example.org')).toBe('delivered')
      expect(connects).toHaveLength(1)
    })

    test('and addresses that others share, refuses the alias alone', async () => {
      expect(await attempted('loop.example.com', false)).toBe('delivered')
      expect(connects).toHaveLength(1)
      expect(await attempted('alias.example.com', false)).toBe('own_address')
      expect(connects).toHaveLength(1)
    })

    test('is not attempted again: it would end the same way', () => {
      const outcome = { reason: 'own_address', timings: { totalMs: 1 } } as const
      expect(decide({ type: 'sms_mo', attempts: 1, ageMs: 0, outcome, random: 0 })).toEqual({
        state: 'failed',
        disableHook: false,
      })
    })
  })

  describe('given a resolver that is down', () => {
    let port: number
    beforeAll(async () => {
      port = await closedPort()
    })

    test('by a closed port: it is our fault', async () => {
      const ownSender = createSender(`127.0.0.1:${port}`)
      expectOurFault(await ownSender.attempt('http://example.com/'))
      await ownSender.close()
    })

    test('by a silence, with no answer to anything before: it is our fault', async () => {
      expectOurFault(await outcomeWith(() => undefined))
    })

    test('by refusing to answer us: it is our fault', async () => {
      expectOurFault(await outcomeWith(() => ({ rcode: 'REFUSED' })))
    })
  })
})

describe('a worker', () => {
  let world: TestWorld
  let dns: DnsServer
  let dnsPort: number

  beforeAll(async () => {
    dnsPort = await closedPort()
    world = await startWorld({ DNS_SERVERS: `127.0.0.1:${dnsPort}` })
  })
  afterAll(async () => {
    await world.close()
    await dns.close()
  })

  test(
    'waits without using up attempts while the resolver is down, and never connects to loopback by a name',
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
      const { accountId, key } = await world.account()
      const form = { target_url: `http://a-127-0-0-1.t.test-dns:${port}/`, event_type: 'all' }
      await call(`${world.url}/api/hooks`, { method: 'POST', key, form })
      const event = await (await createGateway(world)).event(accountId)

      // The first attempt has come back with nothing, and the next is planned.
      await expect
        .poll(
          () =>
            world.database.query(
              'SELECT attempts, lease IS NULL AND due_at > now() AS waits FROM work WHERE event_id = $1',
              [event],
            ),
          { timeout: 30_000 },
        )
        .toEqual([{ attempts: 0, waits: true }])
      expect(await world.database.query('SELECT FROM attempts WHERE event_id = $1', [event])).toEqual([])

      dns = await startDnsServer(describedZone(), dnsPort)
      await expect
        .poll(
          () =>
            world.database.query('SELECT state, reason, attempts FROM deliveries WHERE event_id = $1', [
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

/** Below the ports that outgoing connections use: nobody takes it until we come back to it. */
function closedPort(): Promise<number> {
  return freePort(randomInt(20_000, 32_000))
}

function shortened(text: string): string {
  const quoted = JSON.stringify(text)
  return quoted.length > 90 ? `${quoted.slice(0, 70)}… (${text.length} characters)` : quoted
}
