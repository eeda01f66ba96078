/** Domains for single sign-on: the DNS record that proves them, and domains that nobody can have. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAdmin } from '../support/admin-tool.ts'
import { barrier } from '../support/barrier.ts'
import { signIn, type SignedIn } from '../support/browser-session.ts'
import type { CallResponse } from '../support/http-call.ts'
import { type DnsServer, startDnsServer } from '../support/servers/dns-server.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let dns: DnsServer
let hookline: TestService
let account: TestAccount
let owner: SignedIn
/** TXT records by name. */
const records = new Map<string, string[]>()

beforeAll(async () => {
  dns = await startDnsServer(({ name, type }) => {
    const texts = records.get(name)
    return type === 'TXT' && texts !== undefined ? { texts } : { rcode: 'NXDOMAIN' }
  })
  hookline = await startDashboardService({ DNS_SERVERS: dns.address, CALLS_PER_MINUTE: '100000' })
  account = await hookline.account()
  owner = await signIn(hookline.url, account)
})
afterAll(async () => {
  await hookline.close()
  await dns.close()
})

function randomDomain(): string {
  return `${randomBytes(6).toString('hex')}.example`
}

function add(domain: string, user = owner): Promise<CallResponse> {
  return user.call('/api/sso/domains', { method: 'POST', json: { domain } })
}

function verify(id: number, user = owner): Promise<CallResponse> {
  return user.call(`/api/sso/domains/${id}/verify`, { method: 'POST', json: {} })
}

describe('a domain', () => {
  test('is verified by the TXT record that the API names, also among others', async () => {
    const name = randomDomain()
    const { domain } = (await add(name.toUpperCase())).json
    expect(domain).toMatchObject({
      domain: name,
      record_name: `_hookline-challenge.${name}`,
      record_value: expect.stringMatching(/^hookline-verification=[\w-]{32}$/),
      verified_at: null,
    })
    const before = await verify(domain.id)
    expect([before.status, before.json.code]).toEqual([409, 1142])
    expect(before.json.error_message).toContain(`"${domain.record_value}" at ${domain.record_name}`)
    records.set(domain.record_name, ['v=spf1 -all', 'x'.repeat(300), domain.record_value])
    const verified = await verify(domain.id)
    expect([verified.status, verified.json.domain.verified_at]).toEqual([
      200,
      expect.stringMatching(/^20\d\d-/),
    ])
    expect(dns.queries.filter((query) => query.type === 'TXT').map((query) => query.name)).toContain(
      domain.record_name,
    )
  })

  test.each([
    ['a part of the value', (value: string) => value.slice(0, -1)],
    ['more than the value', (value: string) => `${value}x`],
    ['the value in another case', (value: string) => value.toUpperCase()],
    ['the value of another account', () => 'hookline-verification=AAAA'],
  ])('is not verified by a record with %s', async (_what, change) => {
    const { domain } = (await add(randomDomain())).json
    records.set(domain.record_name, [change(domain.record_value)])
    expect((await verify(domain.id)).json.code).toBe(1142)
  })

  test('is verified by one account only, also if two try at once', async () => {
    const stranger = await hookline.account()
    const otherOwner = await signIn(hookline.url, stranger)
    const name = randomDomain()
    const [own, foreign] = [(await add(name)).json.domain, (await add(name, otherOwner)).json.domain]
    expect(foreign.record_value).not.toBe(own.record_value)
    records.set(own.record_name, [own.record_value, foreign.record_value])
    const responses = await barrier(hookline, 'LOCK TABLE sso_domains IN EXCLUSIVE MODE', 2, () =>
      Promise.all([verify(own.id), verify(foreign.id, otherOwner)]),
    )
    expect(responses.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409])
    expect(responses.map(({ json }) => json.code)).toContain(1141)
  })

  test('of another account is like an unknown one', async () => {
    const { domain } = (await add(randomDomain())).json
    records.set(domain.record_name, [domain.record_value])
    const stranger = await signIn(hookline.url, await hookline.account())
    const unknown = await verify(2_147_483_000, stranger)
    const foreign = await verify(domain.id, stranger)
    expect([foreign.status, foreign.json.code]).toEqual([404, 1102])
    expect(foreign.text.replace(String(domain.id), '2147483000')).toBe(unknown.text)
    const removed = await stranger.call(`/api/sso/domains/${domain.id}`, { method: 'DELETE' })
    expect(removed.status).toBe(404)
    expect((await verify(domain.id)).status).toBe(200)
  })

  test('that is removed no longer counts, and gets a new value when it is added again', async () => {
    const name = randomDomain()
    const { domain } = (await add(name)).json
    expect((await add(name)).json.domain).toEqual(domain)
    expect((await owner.call(`/api/sso/domains/${domain.id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await add(name)).json.domain.record_value).not.toBe(domain.record_value)
  })

  test('is verified by the operator without a record', async () => {
    const name = randomDomain()
    const env = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
    const args = ['sso', 'verify-domain', name, '--account']
    const verified = await runAdmin(env, [...args, String(account.accountId)])
    expect(verified.stdout).toBe(`Verified ${name} for account ${account.accountId}.\n`)
    const { domains } = (await owner.call('/api/sso')).json
    expect(domains.find(({ domain }: { domain: string }) => domain === name).verified_at).not.toBeNull()
    const other = await runAdmin(env, [...args, String((await hookline.account()).accountId)])
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('Another account has verified')])
  })

  test.each(['gmail.com', 'Outlook.com', 'co.uk', 'github.io'])(
    'cannot be %s, which many share',
    async (name) => {
      const { status, json } = await add(name)
      expect([status, json.field, json.error_message]).toEqual([
        400,
        'domain',
        expect.stringContaining('shared by many'),
      ])
    },
  )

  test.each([
    'com',
    'localhost',
    '127.0.0.1',
    '[::1]',
    'a..example',
    '-a.example',
    'a b.example',
    'a@b.example',
    '',
    '.',
    '*.example.com',
    `${'a'.repeat(64)}.example`,
  ])('cannot be %j', async (name) => {
    const { status, json } = await add(name)
    expect([status, json.field]).toEqual([400, 'domain'])
  })

  test('with other letters is stored in the form of DNS', async () => {
    const { domain } = (await add('bücher.example')).json
    expect(domain.domain).toBe('xn--bcher-kva.example')
  })

  test('is one of 20 of an account', async () => {
    const user = await signIn(hookline.url, await hookline.account())
    for (let count = 0; count < 20; count++) expect((await add(randomDomain(), user)).status).toBe(200)
    const { status, json } = await add(randomDomain(), user)
    expect([status, json.field]).toEqual([400, 'domain'])
  })
})
