/**
 * Registers every target URL, header text and IP address of the fixtures over HTTP, as JSON and, if the text is
 * well-formed, as a form.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { reservedPort } from '../../../dev/ports.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import addresses from '../support/fixtures/addresses.json' with { type: 'json' }
import headerCases from '../support/fixtures/custom-headers.json' with { type: 'json' }
import targetCases from '../support/fixtures/target-urls.json' with { type: 'json' }
import { startTestService, type TestService } from '../support/test-service.ts'

/** High enough that no limit applies in these tests. */
const wide = {
  HOOKS_PER_ACCOUNT: '10000',
  CALLS_PER_MINUTE: '1000000',
  HOOK_CHANGES_PER_MINUTE: '1000000',
}

const success = { success: true, code: null, id: expect.any(Number), error_message: null }

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let hookline: TestService
let key: string

beforeAll(async () => {
  hookline = await startTestService({
    ...wide,
    BASE_URL: 'https://hooks.example.net',
    OWN_HOSTS: '8.8.4.4, Other.Example.NET, 2620:00FE::0009, bücher.example.net',
  })
  key = (await hookline.account()).key
})
afterAll(() => hookline.close())

test('the fixtures are complete', () => {
  expect(targetCases).toHaveLength(313)
  expect(headerCases).toHaveLength(139)
  expect(addresses.deny).toHaveLength(94)
  expect(addresses.allow).toHaveLength(27)
})

describe('target_url', () => {
  const registers = new Set(['accept', 'refuse-at-connect', 'dns-failure', 'allowed-if-public'])

  test.each(withTitles(targetCases.filter(({ verdict }) => registers.has(verdict))))(
    '%s is registered and listed unchanged',
    async (_title, { input }) => {
      const asJson = await register({ target_url: input })
      const asForm = await registerByForm({ target_url: input })
      expect(asJson.json).toEqual(success)
      expect(asForm.json).toEqual(asJson.json)
      expect(await findListed(asJson.json.id)).toMatchObject({ target_url: input })
    },
  )

  test.each(withTitles(targetCases.filter(({ verdict }) => verdict === 'reject')))(
    '%s is rejected',
    async (_title, { input }) => {
      const target_url = fillPlaceholders(input)
      const expectRejected = input === '' ? expectMissingUrl : expectInvalidUrl
      expectRejected(await register({ target_url }))
      if (target_url.isWellFormed()) expectRejected(await registerByForm({ target_url }))
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
  ])('%s is this installation and is rejected', async (target_url) => {
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

describe('IP literals', () => {
  test.each(addresses.deny)('%s is rejected', async (ip) => {
    expectInvalidUrl(await register({ target_url: urlOf(ip) }))
  })

  test.each(addresses.allow)('%s is registered', async (ip) => {
    expect((await register({ target_url: urlOf(ip) })).json).toEqual(success)
  })
})

describe('headers', () => {
  const target_url = 'https://example.com/headers'
  /** Values listed differently from the input: `\n` separates headers, and a trailing line break is dropped. */
  const listedAs = new Map([
    ['X-A: 1\r\nX-B: 2', 'X-A: 1\nX-B: 2'],
    ['X-A: 1\n', 'X-A: 1'],
    ['X-A: 1\r\n', 'X-A: 1'],
  ])

  test.each(headerCasesWithTitles('accept'))('%s is registered and listed', async (_title, { value }) => {
    const asJson = await register({ target_url, headers: value })
    const asForm = await registerByForm({ target_url, headers: value })
    expect(asJson.json).toEqual(success)
    expect(asForm.json).toEqual(asJson.json)
    expect(await findListed(asJson.json.id)).toMatchObject({ headers: listedAs.get(value) ?? value })
  })

  test.each(headerCasesWithTitles('reject'))('%s is rejected', async (_title, { value }) => {
    expectInvalidHeaders(await register({ target_url, headers: value }))
    if (value.isWellFormed()) expectInvalidHeaders(await registerByForm({ target_url, headers: value }))
  })

  test('the two characters \\n are rejected with a hint at line breaks', async () => {
    const response = await register({ target_url, headers: 'X-A: 1\\nX-B: 2' })
    expect(response.json.error_message).toMatch(/line break/)
  })
})

describe('ALLOW_PRIVATE_TARGETS', () => {
  let local: TestService
  let localKey: string

  beforeAll(async () => {
    local = await startTestService({
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
    ['the address below RFC 1918', 'http://172.15.255.255:22/'],
    ['the address above RFC 1918', 'http://172.32.0.0:22/'],
    ['the unspecified address', 'http://0.0.0.0/'],
    ['carrier NAT', 'http://100.64.0.1/'],
    ['multicast', 'http://224.0.0.1/'],
    ['a public name with a service port', 'http://example.com:6379/'],
    ['a public IPv4 address with a service port', 'http://8.8.8.8:22/'],
    ['a public IPv6 address with a service port', 'http://[2606:4700:4700::1111]:22/'],
    ['the public name of the service', 'http://hooks.example.net/'],
    ['no URL', 'receiver'],
  ])('%s is still rejected: %s', async (_what, target_url) => {
    expectInvalidUrl(await registerLocally(target_url))
  })

  describe("the service's own listeners are rejected on loopback", () => {
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '127.0.0.2', 'localhost.']

    test.each(hosts)('http://%s with ports chosen by the system', async (host) => {
      for (const endpoint of [local.url, local.service.internalUrl])
        expectInvalidUrl(await registerLocally(`http://${host}:${new URL(endpoint).port}/`))
    })

    test('configured ports', async () => {
      // Below the ephemeral port range, so that the ports are still free when the service starts.
      const port = String(await reservedPort())
      const internalPort = String(await reservedPort())
      const configured = await local.startAnother({
        PORT: port,
        INTERNAL_PORT: internalPort,
        BASE_URL: `http://127.0.0.1:${port}`,
      })
      for (const host of hosts)
        for (const listenerPort of [port, internalPort]) {
          const json = { target_url: `http://${host}:${listenerPort}/`, event_type: 'all' }
          expectInvalidUrl(await call(`${configured.url}/api/hooks`, { method: 'POST', key: localKey, json }))
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
      /exited with code 1:[^]*ALLOW_PRIVATE_TARGETS [^]*requires a loopback BASE_URL/,
    )
  })

  test('loopback, RFC 1918 and single-label names are rejected without the setting', async () => {
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

function register(input: Registration): Promise<CallResponse> {
  return call(`${hookline.url}/api/hooks`, { method: 'POST', key, json: { event_type: 'all', ...input } })
}

function registerByForm(input: Registration): Promise<CallResponse> {
  return call(`${hookline.url}/api/hooks`, { method: 'POST', key, form: { event_type: 'all', ...input } })
}

async function findListed(id: number): Promise<unknown> {
  const { hooks } = (await call(`${hookline.url}/api/hooks`, { key })).json
  return hooks.find((hook: { id: string }) => hook.id === String(id))
}

function expectInvalidUrl(response: CallResponse): void {
  expect(response.status).toBe(400)
  expect(response.json).toEqual({
    success: false,
    code: 1020,
    error_message: expect.stringMatching(/^Invalid URL/),
  })
}

function expectMissingUrl(response: CallResponse): void {
  expect(response.status).toBe(400)
  expect(response.json).toEqual({
    success: false,
    code: 1010,
    error_message: expect.stringContaining('target_url'),
  })
}

/** Replaces the {own …} placeholders of the fixtures with the names of the running service. */
function fillPlaceholders(input: string): string {
  return input
    .replace('{own public name}', 'hooks.example.net')
    .replace('{own public IP}', '8.8.4.4')
    .replace('{own metrics port}', new URL(hookline.service.internalUrl).host)
}

function urlOf(ip: string): string {
  return ip.includes(':') ? `http://[${ip}]/` : `http://${ip}/`
}

function expectInvalidHeaders(response: CallResponse): void {
  expect(response.status).toBe(400)
  expect(response.json).toEqual({
    success: false,
    // 1012 for invalid text (NUL, unpaired surrogate), 1021 for text that is not a header.
    code: expect.toBeOneOf([1021, 1012]),
    error_message: expect.stringMatching(/\S/),
  })
}

function withTitles<Entry extends { input: string }>(entries: Entry[]) {
  return entries.map((entry) => [shorten(entry.input), entry] as const)
}

function headerCasesWithTitles(verdict: string) {
  return headerCases
    .filter((entry) => entry.verdict === verdict)
    .map((entry) => [`${entry.note}, ${shorten(entry.value)},`, entry] as const)
}

function shorten(text: string): string {
  const quoted = JSON.stringify(text)
  return quoted.length > 90 ? `${quoted.slice(0, 70)}… (${text.length} characters)` : quoted
}
