/**
 * What may be registered: every address, header text and IP address of the fixtures, over HTTP, as JSON and, where a
 * form can carry the text, as a form.
 */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { call, type CallAnswer } from './call.ts'
import addresses from './fixtures/addresses.json' with { type: 'json' }
import headerCases from './fixtures/custom-headers.json' with { type: 'json' }
import targetCases from './fixtures/target-urls.json' with { type: 'json' }
import { startWorld, type TestWorld } from './service.ts'

/** So many that neither limit plays a part here. */
const wide = {
  HOOKS_PER_ACCOUNT: '10000',
  CALLS_PER_MINUTE: '1000000',
  HOOK_CHANGES_PER_MINUTE: '1000000',
}

const success = { success: true, code: null, id: expect.any(Number), error_message: null }

// Processes are started in these tests, and the machine decides how long that takes.
vi.setConfig({ testTimeout: 120_000 })

let world: TestWorld
let key: string

beforeAll(async () => {
  world = await startWorld({
    ...wide,
    BASE_URL: 'https://hooks.example.net',
    OWN_HOSTS: '8.8.4.4, Other.Example.NET, 2620:00FE::0009, bücher.example.net',
  })
  key = (await world.account()).key
})
afterAll(() => world.close())

test('the fixtures are complete', () => {
  expect(targetCases).toHaveLength(313)
  expect(headerCases).toHaveLength(139)
  expect(addresses.deny).toHaveLength(94)
  expect(addresses.allow).toHaveLength(27)
})

describe('target_url', () => {
  const registers = new Set(['accept', 'refuse-at-connect', 'dns-failure', 'allowed-if-public'])

  test.each(titled(targetCases.filter(({ verdict }) => registers.has(verdict))))(
    '%s is registered and listed as given',
    async (_title, { input }) => {
      const asJson = await register({ target_url: input })
      const asForm = await registerByForm({ target_url: input })
      expect(asJson.json).toEqual(success)
      expect(asForm.json).toEqual(asJson.json)
      expect(await listed(asJson.json.id)).toMatchObject({ target_url: input })
    },
  )

  test.each(titled(targetCases.filter(({ verdict }) => verdict === 'reject')))(
    '%s is refused',
    async (_title, { input }) => {
      const target_url = filled(input)
      const expectRefused = input === '' ? expectMissingUrl : expectInvalidUrl
      expectRefused(await register({ target_url }))
      if (target_url.isWellFormed()) expectRefused(await registerByForm({ target_url }))
    },
  )

  test.each([
    'https://hooks.example.net/',
    'https://HOOKS.example.NET/',
    'https://hooks.example.net./',
    'https://hooks.example.net:8443/',
    'https://h%6Foks.example.net/',
    'https://ｈooks.example.net/',
    'https://other.example.net/',
    'https://xn--bcher-kva.example.net/',
    'https://bücher.example.net/',
    'http://8.8.4.4/',
    'http://8.8.4.4./',
    'http://0x08080404:8080/',
    'http://[2620:fe::9]/',
    'http://[2620:fe:0:0:0:0:0:9]:8443/',
  ])('%s is this installation itself and is refused', async (target_url) => {
    expectInvalidUrl(await register({ target_url }))
  })

  test.each([
    'https://example.com/hooks.example.net',
    'https://hooks.example.net.example.com/',
    'https://8.8.4.5/',
  ])('%s is not this installation and is registered', async (target_url) => {
    expect((await register({ target_url })).json).toEqual(success)
  })
})

describe('a literal address', () => {
  test.each(addresses.deny)('%s is refused', async (ip) => {
    expectInvalidUrl(await register({ target_url: urlOf(ip) }))
  })

  test.each(addresses.allow)('%s is registered', async (ip) => {
    expect((await register({ target_url: urlOf(ip) })).json).toEqual(success)
  })
})

describe('headers', () => {
  const target_url = 'https://example.com/headers'
  /** Listed otherwise than sent: `\n` separates, and one line break at the end is no header. */
  const listedAs = new Map([
    ['X-A: 1\r\nX-B: 2', 'X-A: 1\nX-B: 2'],
    ['X-A: 1\n', 'X-A: 1'],
    ['X-A: 1\r\n', 'X-A: 1'],
  ])

  test.each(titledHeaders('accept'))('%s is registered and listed', async (_title, { value }) => {
    const asJson = await register({ target_url, headers: value })
    const asForm = await registerByForm({ target_url, headers: value })
    expect(asJson.json).toEqual(success)
    expect(asForm.json).toEqual(asJson.json)
    expect(await listed(asJson.json.id)).toMatchObject({ headers: listedAs.get(value) ?? value })
  })

  test.each(titledHeaders('reject'))('%s is refused', async (_title, { value }) => {
    expectInvalidHeaders(await register({ target_url, headers: value }))
    if (value.isWellFormed()) expectInvalidHeaders(await registerByForm({ target_url, headers: value }))
  })

  test('the two characters \\n are refused with a hint at the real line break', async () => {
    const answer = await register({ target_url, headers: 'X-A: 1\\nX-B: 2' })
    expect(answer.json.error_message).toMatch(/line break/)
  })
})

describe('ALLOW_PRIVATE_TARGETS', () => {
  let local: TestWorld
  let localKey: string

  beforeAll(async () => {
    local = await startWorld({
      ...wide,
      ALLOW_PRIVATE_TARGETS: 'true',
      BASE_URL: 'http://localhost:8080',
      OWN_HOSTS: 'hooks.example.net',
    })
    localKey = (await local.account()).key
  })
  afterAll(() => local.close())

  const registerLocally = (target_url: string) =>
    call(`${local.url}/api/hooks`, {
      method: 'POST',
      key: localKey,
      json: { target_url, event_type: 'all' },
    })

  test.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:22/',
    'http://127.9.9.9:6379/',
    'http://[::1]:5432/',
    'http://10.0.0.1:1/',
    'http://10.255.255.255/',
    'http://172.16.0.1:25/',
    'http://172.31.255.255:9200/',
    'http://192.168.0.1:3306/',
    'http://localhost/',
    'http://localhost:3000/hook',
    'http://LOCALHOST:9092/',
    'http://receiver/',
    'http://receiver:2375/hook',
    'https://example.com/',
    'https://8.8.8.8/',
  ])('%s is registered', async (target_url) => {
    expect((await registerLocally(target_url)).json).toEqual(success)
  })

  test.each([
    ['link-local', 'http://169.254.0.1/'],
    ['the metadata service of AWS, GCP and Azure', 'http://169.254.169.254/latest/meta-data/'],
    ['the metadata service of ECS', 'http://169.254.170.2/'],
    ['the metadata service of Alibaba', 'http://100.100.100.200/'],
    ['the metadata service of Oracle', 'http://192.0.0.192/'],
    ["Azure's platform address", 'http://168.63.129.16/'],
    ['link-local in IPv6', 'http://[fe80::1]/'],
    ['the metadata service of AWS in IPv6', 'http://[fd00:ec2::254]/'],
    ['the metadata service of GCP in IPv6', 'http://[fd20:ce::254]/'],
    ['the metadata service wrapped in IPv6', 'http://[::ffff:169.254.169.254]/'],
    ['loopback wrapped in IPv6', 'http://[::ffff:127.0.0.1]/'],
    ['the metadata service by name', 'http://metadata.google.internal/'],
    ['next below RFC 1918', 'http://172.15.255.255:22/'],
    ['next above RFC 1918', 'http://172.32.0.0:22/'],
    ['no address', 'http://0.0.0.0/'],
    ['carrier NAT', 'http://100.64.0.1/'],
    ['multicast', 'http://224.0.0.1/'],
    ['a public name with a service port', 'http://example.com:6379/'],
    ['a public IPv4 address with a service port', 'http://8.8.8.8:22/'],
    ['a public IPv6 address with a service port', 'http://[2606:4700:4700::1111]:22/'],
    ['our own public name', 'http://hooks.example.net/'],
    ['no address at all', 'receiver'],
  ])('%s is still refused: %s', async (_what, target_url) => {
    expectInvalidUrl(await registerLocally(target_url))
  })

  describe("the service's own listeners are refused on loopback", () => {
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '127.0.0.2', 'localhost.']

    test.each(hosts)('as http://%s when the ports were chosen by the system', async (host) => {
      for (const own of [local.url, local.service.internalUrl])
        expectInvalidUrl(await registerLocally(`http://${host}:${new URL(own).port}/`))
    })

    test('when the ports were given', async () => {
      // Below the ports that outgoing connections use, so that they are still free when the service starts.
      const port = String(await freePort(randomInt(20_000, 26_000)))
      const internalPort = String(await freePort(randomInt(26_000, 32_000)))
      const given = await local.startAnother({
        PORT: port,
        INTERNAL_PORT: internalPort,
        BASE_URL: `http://127.0.0.1:${port}`,
      })
      for (const host of hosts)
        for (const own of [port, internalPort]) {
          const json = { target_url: `http://${host}:${own}/`, event_type: 'all' }
          expectInvalidUrl(await call(`${given.url}/api/hooks`, { method: 'POST', key: localKey, json }))
        }
    })
  })

  test.each([
    'https://hooks.example.net',
    'http://10.0.0.1:8080',
    'http://0.0.0.0:8080',
    'http://localhost.example.net',
    'http://127.0.0.1.example.net',
  ])('the service does not start with BASE_URL=%s', async (BASE_URL) => {
    await expect(local.startAnother({ BASE_URL })).rejects.toThrow(
      /ended with 1:[^]*ALLOW_PRIVATE_TARGETS [^]*needs a loopback BASE_URL/,
    )
  })

  test('without it loopback, RFC 1918 and single-label names are refused', async () => {
    for (const target_url of [
      'http://127.0.0.1/',
      'http://10.0.0.1/',
      'http://localhost/',
      'http://receiver/',
    ])
      expectInvalidUrl(await register({ target_url }))
  })
})

interface Registration {
  target_url: string
  headers?: string
}

function register(given: Registration): Promise<CallAnswer> {
  return call(`${world.url}/api/hooks`, { method: 'POST', key, json: { event_type: 'all', ...given } })
}

function registerByForm(given: Registration): Promise<CallAnswer> {
  return call(`${world.url}/api/hooks`, { method: 'POST', key, form: { event_type: 'all', ...given } })
}

async function listed(id: number): Promise<unknown> {
  const { hooks } = (await call(`${world.url}/api/hooks`, { key })).json
  return hooks.find((hook: { id: string }) => hook.id === String(id))
}

function expectInvalidUrl(answer: CallAnswer): void {
  expect(answer.status).toBe(400)
  expect(answer.json).toEqual({
    success: false,
    code: 1020,
    error_message: expect.stringMatching(/^Invalid URL/),
  })
}

function expectMissingUrl(answer: CallAnswer): void {
  expect(answer.status).toBe(400)
  expect(answer.json).toEqual({
    success: false,
    code: 1010,
    error_message: expect.stringContaining('target_url'),
  })
}

/** {own …} of the fixtures, as this file's service is set up. */
function filled(input: string): string {
  return input
    .replace('{own public name}', 'hooks.example.net')
    .replace('{own public IP}', '8.8.4.4')
    .replace('{own metrics port}', new URL(world.service.internalUrl).host)
}

function urlOf(ip: string): string {
  return ip.includes(':') ? `http://[${ip}]/` : `http://${ip}/`
}

function expectInvalidHeaders(answer: CallAnswer): void {
  expect(answer.status).toBe(400)
  expect(answer.json).toEqual({
    success: false,
    // 1012 for what is no text at all (NUL, half a character), 1021 for text that is no header.
    code: expect.toBeOneOf([1021, 1012]),
    error_message: expect.stringMatching(/\S/),
  })
}

function titled<Entry extends { input: string }>(entries: Entry[]) {
  return entries.map((entry) => [shortened(entry.input), entry] as const)
}

function titledHeaders(verdict: string) {
  return headerCases
    .filter((entry) => entry.verdict === verdict)
    .map((entry) => [`${entry.note}, ${shortened(entry.value)},`, entry] as const)
}

function shortened(text: string): string {
  const quoted = JSON.stringify(text)
  return quoted.length > 90 ? `${quoted.slice(0, 70)}… (${text.length} characters)` : quoted
}
