/** Identity providers at forbidden addresses: no connection is attempted, whichever document names the address. */
import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createConnections } from '../../src/delivery/transport/connections.ts'
import { createFetchDocument } from '../../src/delivery/transport/fetch-document.ts'
import { createResolver } from '../../src/delivery/transport/resolve.ts'
import { createProviderClient, type ProviderClient } from '../../src/identity/sso/provider-client.ts'
import { createProviderFetch } from '../../src/service/provider-fetch.ts'
import { signIn } from '../support/browser-session.ts'
import { describedZone, type DnsServer, startDnsServer } from '../support/servers/dns-server.ts'
import { type HostileProvider, startHostileProvider } from '../support/servers/hostile-provider.ts'
import { listenOnLoopback, type LoopbackServer } from '../support/servers/loopback-server.ts'
import { saveProvider } from '../support/sso.ts'
import { startDashboardService, type TestService } from '../support/test-service.ts'

/** A server on loopback that must not be reached. */
let forbidden: LoopbackServer
let connections = 0
beforeAll(async () => {
  const server = createServer((_request, response) => response.end('{}'))
  server.on('connection', () => connections++)
  forbidden = await listenOnLoopback(server)
})
beforeEach(() => {
  connections = 0
})
afterAll(() => forbidden.close())

describe('an issuer', () => {
  let dns: DnsServer
  let hookline: TestService
  beforeAll(async () => {
    dns = await startDnsServer(describedZone())
    hookline = await startDashboardService({ DNS_SERVERS: dns.address })
  })
  afterAll(async () => {
    await hookline.close()
    await dns.close()
  })

  test.each([
    ['127.0.0.1', 1012],
    ['[::1]', 1012],
    ['169.254.169.254', 1012],
    ['localhost', 1012],
    ['intranet', 1012],
    ['a-127-0-0-1.t.test-dns', 1015],
    ['mixed-public-then-private.t.test-dns', 1015],
    ['cname-to-localhost.t.test-dns', 1015],
    ['metadata.goog', 1015],
  ])('at %s is rejected without a connection', async (host, code) => {
    const account = await hookline.account()
    const owner = await signIn(hookline.url, account)
    const issuer = `https://${host}:${forbidden.port}`
    const { status, json } = await saveProvider(owner, account, { issuer, clientId: 'x', clientSecret: null })
    expect([status, json.code]).toEqual([400, code])
    expect(connections).toBe(0)
  })

  test('without TLS is rejected', async () => {
    const account = await hookline.account()
    const owner = await signIn(hookline.url, account)
    const client = { issuer: 'http://example.com', clientId: 'x', clientSecret: null }
    const { status, json } = await saveProvider(owner, account, client)
    expect([status, json.error_message]).toEqual([400, expect.stringContaining('must start with "https://"')])
  })
})

/** Loopback too, but not the address that is allowed. */
const elsewhere = (): string => `http://127.0.0.2:${forbidden.port}/x`

describe('a provider at an allowed address', () => {
  let hostile: HostileProvider
  let client: ProviderClient
  const sockets = createConnections(
    createResolver({ servers: [], allowPrivate: true, isAllowed: (ip) => ip === '127.0.0.1' }).resolve,
  )
  const connection = {
    accountId: 1,
    id: 'id',
    name: 'Provider',
    clientSecret: null,
    isRequired: false,
    defaultRole: null,
    canReveal: false,
    canExport: false,
    createdAt: new Date(),
    changedAt: new Date(),
  }
  const request = {
    redirectUri: 'https://hookline.example/sso/callback/id',
    state: 'state',
    nonce: 'nonce',
    verifier: 'v'.repeat(43),
    isConfirmation: false,
  }
  beforeEach(async () => {
    hostile = await startHostileProvider()
    client = createProviderClient({
      vault: { seal: unused, open: unused, digest: unused },
      fetch: createProviderFetch(createFetchDocument(sockets)),
      targetUrl: { maxBytes: 500, allowPrivate: true, ownHosts: new Set(), ownPorts: new Set() },
      now: Date.now,
    })
    return () => hostile.close()
  })
  afterAll(() => sockets.close())

  async function redeem(): Promise<string> {
    const { issuer, clientId } = hostile
    const used = { ...connection, issuer, clientId }
    const url = await client.authorizationUrl(used, request)
    const user = await client.redeem(used, request, new URL(hostile.authorize(url)))
    return user.subject
  }

  test('is used, so the tests below fail for their reason only', async () => {
    expect(await redeem()).toBe('sub')
  })

  test.each(['token_endpoint', 'jwks_uri'])('whose %s is at a forbidden one is rejected', async (name) => {
    hostile.metadata = { [name]: elsewhere() }
    await expect(redeem()).rejects.toThrow('The address is not public.')
    expect(connections).toBe(0)
  })

  test.each(['token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
    'whose %s is at a port of another service is rejected',
    async (name) => {
      hostile.metadata = { [name]: 'https://provider.example:25/x' }
      await expect(redeem()).rejects.toThrow(`no valid "${name}"`)
    },
  )

  test.each(['/.well-known/openid-configuration', '/token', '/jwks'])(
    'whose %s redirects to a forbidden one is rejected',
    async (path) => {
      hostile.handlers.set(path, (_request, response) =>
        response.writeHead(307, { location: elsewhere() }).end(),
      )
      await expect(redeem()).rejects.toThrow('Redirects are not followed')
      expect(connections).toBe(0)
    },
  )

  test.each(['/token', '/jwks'])('whose %s is too large is rejected', async (path) => {
    hostile.handlers.set(path, (_request, response) => response.end(' '.repeat(65 * 1_024)))
    await expect(redeem()).rejects.toThrow('too large')
  })

  test('is asked for its configuration and keys once for several sign-ins', async () => {
    for (let count = 0; count < 3; count++) await redeem()
    expect(hostile.requests.filter((path) => path !== '/token').toSorted()).toEqual([
      '/.well-known/openid-configuration',
      '/jwks',
    ])
  })

  test('that is slow delays its own account only', async () => {
    hostile.handlers.set('/.well-known/openid-configuration', () => {})
    const { issuer, clientId } = hostile
    const stuck = Array.from({ length: 40 }, () =>
      client.authorizationUrl({ ...connection, issuer, clientId }, request).catch((error: Error) => error),
    )
    const healthy = await startHostileProvider()
    const startedAt = performance.now()
    const other = { ...connection, accountId: 2, issuer: healthy.issuer, clientId }
    expect(await client.authorizationUrl(other, request)).toContain(`${healthy.issuer}/authorize?`)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    await expect.poll(() => hostile.requests.length).toBe(4)
    await hostile.close()
    await healthy.close()
    await Promise.all(stuck)
  }, 30_000)
})

function unused(): never {
  throw new Error('a client without a secret needs no vault')
}
