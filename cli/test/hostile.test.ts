/** Tests the tool against a service, an event, a file system and a user that do what they should not. */
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startReceiver } from '../../dev/receiver.ts'
import { createGateway, type Gateway } from '../../server/test/support/gateway.ts'
import {
  startDashboardService,
  type TestAccount,
  type TestService,
} from '../../server/test/support/test-service.ts'
import { startProxy } from './proxy.ts'
import { createTool, signIn, type Tool, until } from './support.ts'

vi.setConfig({ testTimeout: 120_000 })

let hookline: TestService
let gateway: Gateway
let account: TestAccount
let tool: Tool
let environment: Record<string, string>

beforeAll(async () => {
  hookline = await startDashboardService({}, 'all')
  gateway = await createGateway(hookline)
})
afterAll(() => hookline.close())
beforeEach(async () => {
  account = await hookline.account()
  tool = await createTool()
  environment = { HOOKLINE_API_KEY: account.key, HOOKLINE_URL: hookline.url }
})
afterEach(() => tool.remove())

const poison = '\u001b]0;owned\u0007\u001b[2J\u009b5n\u202etxt\u2028\r\nerror'

/** What the tool sends back, or sends on. */
const kept = new Set(['url', 'lease', 'cursor', 'request'])

/** Appends control characters to every text, and to ids. */
function poisoned(value: unknown, hasIds: boolean, name = ''): unknown {
  if (kept.has(name)) return value
  if (typeof value === 'string') return value + poison
  if (typeof value === 'number' && hasIds && name.endsWith('id')) return `${value}${poison}`
  if (Array.isArray(value)) return value.map((item) => poisoned(item, hasIds, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, poisoned(item, hasIds, key)]))
}

test('no response of the service can send control characters to the terminal', async () => {
  const local = await startReceiver()
  const created = await tool.run(
    ['webhooks', 'create', 'https://example.com/a', '--type', 'sms_mo', '--header', 'X-A: 1', '--json'],
    '',
    environment,
  )
  const webhook = String(JSON.parse(created.stdout).id)
  const eventId = await gateway.event(account.accountId)
  const path = join(tool.folder, 'webhooks.yaml')
  await writeFile(
    path,
    `webhooks: [{ id: ${webhook}, target_url: https://example.com/b, request_method: GET, event_type: dlr }]`,
  )
  const proxy = await startProxy(hookline.url, {
    change: (body, { url }) => poisoned(body, !url?.startsWith('/api/consumers')),
  })
  const env = { ...environment, HOOKLINE_URL: proxy.url, FORCE_COLOR: '1' }
  const outputs: string[] = []
  const commands = [
    ['whoami'],
    ['doctor'],
    ['webhooks'],
    ['webhooks', '--json'],
    ['webhooks', 'show', webhook],
    ['webhooks', 'show', '999999'],
    ['webhooks', 'edit', webhook, '--name', 'x'],
    ['webhooks', 'disable', webhook],
    ['webhooks', 'create', 'https://example.com/c', '--type', 'dlr'],
    ['webhooks', 'create', 'https://example.com/c', '--type', 'dlr'],
    ['webhooks', 'export', '--show-headers'],
    ['apply', path, '--dry-run', '--json'],
    ['events', 'search'],
    ['events', 'show', eventId],
    ['events', 'show', eventId, '--json'],
    ['events', 'replay', eventId],
    ['trigger', 'sms_mo', '--webhook', webhook],
    ['trigger', 'sms_mo'],
    ['apply', path, '--yes'],
    ['webhooks', 'delete', webhook, '--yes'],
  ]
  for (const args of commands) {
    const { stdout, stderr } = await tool.run(args, '', env)
    outputs.push(`$ ${args.join(' ')}\n${stdout}${stderr}`)
  }
  const listener = tool.start(['listen', local.url()], '', env)
  await until(() => listener.stderr().includes('Ready.'), 'the listener')
  await gateway.event(account.accountId)
  await until(() => listener.stdout().includes('owned'), 'the event')
  listener.child.kill('SIGINT')
  await listener.ended
  outputs.push(`$ listen\n${listener.stdout()}${listener.stderr()}`)
  proxy.close()
  await local.close()
  // oxlint-disable-next-line no-control-regex -- the colors of the tool
  const plain = outputs.map((output) => output.replaceAll(/\u001b\[\d+m/g, ''))
  expect(plain.filter((output) => /(?!\n)[\p{Cc}\u202e\u2028]/u.test(output))).toEqual([])
  // Texts of the service do not begin lines either.
  expect(plain.filter((output) => /^error$/m.test(output))).toEqual([])
  expect(plain.filter((output) => output.includes('owned')).length).toBeGreaterThan(12)
})

test.each([
  ['another host', { url: 'http://127.0.0.1:1/hooks' }, 'for another URL'],
  ['another page', { url: 'PAGE' }, 'for another URL'],
  ['another method', { method: 'DELETE' }, 'that no webhook has'],
  ['a second length', { headers: [{ name: 'Content-Length', value: '1' }] }, 'that no webhook has'],
])('listen refuses a request for %s', async (_, changes, message) => {
  const local = await startReceiver()
  const proxy = await startProxy(hookline.url, {
    change(body, { url }) {
      const { events } = body as { events?: { request: object }[] }
      if (!url?.endsWith('/poll') || events === undefined) return body
      const changed = {
        ...changes,
        ...('url' in changes && changes.url === 'PAGE' && { url: local.url('/admin') }),
      }
      return {
        ...(body as object),
        events: events.map((event) => ({ ...event, request: { ...event.request, ...changed } })),
      }
    },
  })
  const running = tool.start(['listen', local.url('/hooks')], '', { ...environment, HOOKLINE_URL: proxy.url })
  await until(() => running.stderr().includes('Ready.'), 'the listener')
  await gateway.event(account.accountId)
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toContain(message)
  expect(local.requests).toEqual([])
  proxy.close()
  await local.close()
})

test('the names of this machine are not looked up, and passwords are not taken', async () => {
  const local = await startReceiver()
  const target = local.url('/hooks').replace('127.0.0.1', 'shop.localhost')
  const running = tool.start(['listen', target], '', environment)
  await until(() => running.stderr().includes('Ready.'), 'the listener')
  expect(running.stderr()).not.toContain('does not respond yet')
  await gateway.event(account.accountId)
  await local.until((requests) => requests.length === 1)
  running.child.kill('SIGINT')
  await running.ended
  const withPassword = await tool.run(['listen', 'http://me:hunter2@localhost:3000'], '', environment)
  expect(withPassword).toMatchObject({ code: 2, stderr: expect.not.stringContaining('hunter2') })
  await local.close()
})

test.each([-300, 300])('a clock that is %d s off does not keep events from the receiver', async (seconds) => {
  const local = await startReceiver()
  const program = `const { now } = Date; Date.now = () => now() + ${seconds * 1_000}`
  const shift = `data:text/javascript,${encodeURIComponent(program)}`
  const args = ['listen', new URL(local.url('/x')).host]
  const listener = tool.start(args, undefined, { ...environment, NODE_OPTIONS: `--import=${shift}` })
  await until(() => listener.stderr().includes('Ready.'), 'the listener')
  await gateway.event(account.accountId)
  await until(() => local.requests.length === 1, `the event: ${listener.stderr()}`)
  listener.child.kill('SIGINT')
  expect(await listener.ended).toBe(0)
  expect(listener.stderr()).not.toContain('Connected again')
  await local.close()
})

test('an API key with a line feed is not printed', async () => {
  const { code, stdout, stderr } = await tool.run(['whoami'], '', {
    ...environment,
    HOOKLINE_API_KEY: 'key-1234567\nX: 1',
  })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).not.toContain('1234567')
})

async function storeTokens(url: string, expiresAt: number): Promise<void> {
  const profile = { url, credential: 'oauth', account: { id: 1, name: 'x' }, store: 'file' }
  const config = { current: 'default', profiles: { default: profile } }
  const secret = JSON.stringify({ accessToken: 'a1', refreshToken: 'r1', expiresAt })
  await writeFile(join(tool.folder, 'config.json'), JSON.stringify(config), { mode: 0o600 })
  await writeFile(join(tool.folder, 'secrets.json'), JSON.stringify({ default: secret }), { mode: 0o600 })
}

async function startServer(respond: (request: IncomingMessage, body: string) => [number, object, string]) {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const [status, headers, text] = respond(request, body)
      setTimeout(() => response.writeHead(status, { ...headers }).end(text), 500)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  }
}

test('logout sends the refresh token to no other server', async () => {
  const seen: string[] = []
  const other = await startServer((_, body) => {
    seen.push(body)
    return [200, {}, '{}']
  })
  const redirecting = await startServer(() => [307, { location: `${other.url}/oauth/revoke` }, ''])
  await storeTokens(redirecting.url, Date.now() + 3_600_000)
  expect((await tool.run(['logout'])).stderr).toContain('could not be revoked')
  expect(seen).toEqual([])
  other.close()
  redirecting.close()
})

test('Ctrl+C while tokens are refreshed ends the command after they are stored', async () => {
  let isAsked = false
  const server = await startServer(() => {
    isAsked = true
    return [200, {}, JSON.stringify({ access_token: 'a2', refresh_token: 'r2', expires_in: 3_600 })]
  })
  await storeTokens(server.url, 0)
  const running = tool.start(['whoami'])
  await until(() => isAsked, 'the refresh')
  running.child.kill('SIGINT')
  await running.ended
  expect(running.child.signalCode).toBe('SIGINT')
  const stored = JSON.parse(await readFile(join(tool.folder, 'secrets.json'), 'utf8'))
  expect(JSON.parse(stored.default)).toMatchObject({ refreshToken: 'r2' })
  server.close()
})

test('files of profiles that others can change are rejected, and secrets become private', async () => {
  await signIn(tool, hookline.url, account.key)
  const [config, secrets] = [join(tool.folder, 'config.json'), join(tool.folder, 'secrets.json')]
  await chmod(secrets, 0o644)
  expect((await tool.run(['whoami'])).code).toBe(0)
  expect((await stat(secrets)).mode & 0o777).toBe(0o600)
  await chmod(config, 0o666)
  expect(await tool.run(['whoami'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`chmod 600 ${config}`),
  })
})

test('a reader that closes the pipe ends a listener as Ctrl+C does: the next one starts at once', async () => {
  const local = await startReceiver()
  const first = tool.start(['listen', local.url(), '--json'], '', environment)
  await until(() => first.stderr().includes('Ready.'), 'the listener')
  first.child.stdout?.destroy()
  const id = await gateway.event(account.accountId)
  expect(await first.ended).toBe(0)
  const second = tool.start(['listen', local.url(), '--json'], '', environment)
  await until(() => second.stderr().includes('Ready.'), 'the second listener')
  const next = await gateway.event(account.accountId)
  await until(() => second.stdout().includes(next), 'the next event')
  expect(local.requests.map(({ headers }) => headers['webhook-id'])).toEqual([id, next])
  second.child.kill('SIGINT')
  await second.ended
  await local.close()
})

test.each([
  ['an endless file', '/dev/zero', 'larger than 1 MB'],
  ['a folder', '/tmp', 'EISDIR'],
])('%s as scenario or as list of webhooks is an error', async (_, path, message) => {
  for (const args of [
    ['trigger', '--scenario', path],
    ['apply', path],
  ])
    expect(await tool.run(args, '', environment)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    })
})
