/** Tests the command line tool as a process against a real service and real local servers. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, afterEach, expect, test, vi } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { createGateway, type Gateway } from '../../server/test/support/gateway.ts'
import { allowAccess, openBrowser, startInteraction } from '../../server/test/support/oauth-client.ts'
import {
  startDashboardService,
  type TestAccount,
  type TestService,
} from '../../server/test/support/test-service.ts'
import { createTool, type RunningTool, signIn, type Tool, until } from './support.ts'

vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
let gateway: Gateway
let account: TestAccount
let tool: Tool

beforeAll(async () => {
  hookline = await startDashboardService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'all')
  gateway = await createGateway(hookline)
})
afterAll(() => hookline.close())
beforeEach(async () => {
  account = await hookline.account()
  tool = await createTool()
})
afterEach(() => tool.remove())

const login = (): Promise<void> => signIn(tool, hookline.url, account.key)

async function startListener(args: readonly string[]): Promise<RunningTool> {
  const listener = tool.start(['listen', ...args])
  await until(() => listener.stderr().includes('Ready.'), `the listener to be ready: ${listener.stderr()}`)
  return listener
}

async function stop({ child, ended }: RunningTool): Promise<void> {
  child.kill('SIGINT')
  expect(await ended).toBe(0)
}

test('login with an API key stores the key in a private file, and no output has it', async () => {
  const { code, stdout, stderr } = await tool.run(
    ['login', '--url', hookline.url, '--api-key-stdin'],
    `${account.key}\n`,
  )
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(stderr).toContain('Signed in to')
  expect(stderr).not.toContain(account.key)
  expect((await stat(join(tool.folder, 'secrets.json'))).mode & 0o777).toBe(0o600)
  expect(await readFile(join(tool.folder, 'config.json'), 'utf8')).not.toContain(account.key)
  const { stdout: text } = await tool.run(['whoami', '--json'])
  expect(JSON.parse(text)).toMatchObject({
    account: { id: account.accountId },
    url: hookline.url,
    scopes: ['all'],
  })

  expect((await tool.run(['logout'])).code).toBe(0)
  expect(await readFile(join(tool.folder, 'secrets.json'), 'utf8')).not.toContain(account.key)
  expect((await tool.run(['whoami'])).code).toBe(3)
})

test('login in a browser: the loopback address gets the code, and expired tokens are refreshed', async () => {
  const signingIn = tool.start(['login', '--url', hookline.url, '--no-browser'])
  await until(() => signingIn.stderr().includes('/oauth/authorize'), 'the address')
  const [address = ''] = /http\S+authorize\S+/.exec(signingIn.stderr()) ?? []
  const browser = openBrowser(hookline)
  const id = await startInteraction(browser, address)
  await browser.signIn(account)
  const callback = await allowAccess(browser, id)
  expect(callback.hostname).toBe('127.0.0.1')
  expect(await (await fetch(callback)).text()).toContain('You are signed in')
  expect(await signingIn.ended, signingIn.stderr()).toBe(0)
  expect(JSON.parse((await tool.run(['whoami', '--json'])).stdout)).toMatchObject({
    account: { id: account.accountId },
    credential: 'bearer',
    scopes: ['hooks', 'events:read', 'deliveries:replay'],
  })

  const path = join(tool.folder, 'secrets.json')
  const readTokens = async () => JSON.parse(JSON.parse(await readFile(path, 'utf8')).default)
  const before = await readTokens()
  await writeFile(path, JSON.stringify({ default: JSON.stringify({ ...before, expiresAt: 0 }) }))
  // A refresh token works once, so several processes must agree.
  const codes = await Promise.all(
    ['whoami', 'whoami', 'webhooks'].map(async (name) => (await tool.run([name])).code),
  )
  expect(codes).toEqual([0, 0, 0])
  expect((await readTokens()).refreshToken).not.toBe(before.refreshToken)

  expect((await tool.run(['logout'])).code).toBe(0)
  const rows = await hookline.database.query('SELECT FROM grants WHERE account_id = $1', [account.accountId])
  expect(rows).toEqual([])
})

test('a callback with another state signs nobody in', async () => {
  const signingIn = tool.start(['login', '--url', hookline.url, '--no-browser'])
  await until(() => signingIn.stderr().includes('/oauth/authorize'), 'the address')
  const address = new URL(/http\S+authorize\S+/.exec(signingIn.stderr())?.[0] ?? '')
  const callback = new URL(address.searchParams.get('redirect_uri') ?? '')
  callback.search = 'code=stolen&state=other'
  await fetch(callback)
  expect(await signingIn.ended).toBe(3)
  expect(signingIn.stderr()).toContain('belongs to another sign-in')
})

test('the environment takes precedence over profiles', async () => {
  await login()
  const other = await hookline.account()
  const env = { HOOKLINE_API_KEY: other.key, HOOKLINE_URL: hookline.url }
  expect(JSON.parse((await tool.run(['whoami', '--json'], '', env)).stdout).account.id).toBe(other.accountId)
  const incomplete = await tool.run(['whoami'], '', { HOOKLINE_API_KEY: other.key })
  expect(incomplete).toMatchObject({ code: 2, stderr: expect.stringContaining('HOOKLINE_URL') })
})

test.each([
  [['whoami'], 3, 'hookline login'],
  [['listen', 'example.com/webhooks'], 3, 'hookline login'],
  [['login', '--url', 'http://127.evil.example', '--api-key-stdin'], 2, 'not encrypted'],
  [['nonsense'], 2, 'unknown command'],
  [['webhooks', 'create'], 2, 'missing required argument'],
  [['completion', 'tcsh'], 2, 'bash, zsh, fish'],
])('without a profile: %s ends with %d', async (args, code, text) => {
  expect(await tool.run(args)).toMatchObject({ code, stderr: expect.stringContaining(text) })
})

test('errors have an exit code and a hint', async () => {
  await login()
  const expectError = async (args: string[], code: number, text: string) =>
    expect(await tool.run(args), args.join(' ')).toMatchObject({
      code,
      stderr: expect.stringContaining(text),
    })
  await expectError(['webhooks', 'show', '999'], 4, 'not found')
  await expectError(['webhooks', 'show', 'x'], 2, 'hookline webhooks list')
  await expectError(['webhooks', 'create', 'ftp://x'], 5, 'Error code 1020')
  await expectError(['listen', 'example.com/x'], 2, '--allow-external')
  await expectError(['listen', '3000', '--as', 'xml'], 2, 'json, post or get')
  await expectError(['listen', '3000', '--since', 'yesterday'], 2, '2h')
  await expectError(['trigger', 'sms_mo'], 4, 'hookline listen')
  await expectError(['trigger', '--scenario', '/nowhere'], 2, 'ENOENT')
  const revoked = await hookline.key(account.accountId)
  await hookline.database.query('UPDATE keys SET revoked_at = now() WHERE id = $1', [revoked.keyId])
  const env = { HOOKLINE_API_KEY: revoked.key, HOOKLINE_URL: hookline.url }
  expect(await tool.run(['whoami'], '', env)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('hookline login'),
  })
  const offline = { HOOKLINE_API_KEY: account.key, HOOKLINE_URL: `http://127.0.0.1:${await freePort()}` }
  expect(await tool.run(['whoami'], '', offline)).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('hookline doctor'),
  })
})

test('listen forwards the bytes that a worker sends, with signatures that receivers accept', async () => {
  await login()
  const local = await startReceiver((_, response) => {
    response.writeHead(200).end('ok')
  })
  const { stdout } = await tool.run([
    'webhooks',
    'create',
    local.url('/remote'),
    '--type',
    'sms_mo',
    '--as',
    'json',
    '--json',
  ])
  const { id } = JSON.parse(stdout)
  const target = local.url('/local').replace('http://', '')
  const listener = await startListener([target, '--webhook', String(id), '--json'])
  const eventId = await gateway.event(account.accountId, { text: 'Grüße 👋 €' })
  await until(() => local.requests.length === 2, 'the delivery and the forwarded request')
  const at = (path: string) => local.requests.find(({ url }) => url === path)
  const [sent, forwarded] = [at('/remote'), at('/local')]
  expect(forwarded?.body).toEqual(sent?.body)
  const changing = new Set([
    'host',
    'connection',
    'webhook-timestamp',
    'webhook-signature',
    'x-timestamp',
    'x-nonce',
    'x-signature',
  ])
  const stable = (request: typeof sent) =>
    Object.fromEntries(Object.entries(request?.headers ?? {}).filter(([name]) => !changing.has(name)))
  expect(stable(forwarded)).toEqual(stable(sent))
  const { secret } = (await (
    await fetch(`${hookline.url}/api/hooks/${id}/secret`, { headers: { 'x-api-key': account.key } })
  ).json()) as { secret: string }
  new Webhook(secret).verify(forwarded?.body.toString() ?? '', forwarded?.headers as Record<string, string>)
  await until(() => listener.stdout() !== '', 'a line')
  expect(JSON.parse(listener.stdout())).toMatchObject({
    event_id: eventId,
    type: 'sms_mo',
    status: 200,
    error: null,
    is_test: false,
  })
  expect(listener.stdout() + listener.stderr()).not.toContain(secret)
  await stop(listener)
  await local.close()
})

function listenOn(port: number, server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
}

interface LocalServer {
  ids: string[]
  close: () => Promise<void>
}

async function startLocal(port: number): Promise<LocalServer> {
  const ids: string[] = []
  const server = createServer((request, response) => {
    ids.push(String(request.headers['webhook-id']))
    request.resume().on('end', () => response.writeHead(204).end())
  })
  await listenOn(port, server)
  return {
    ids,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

test('listen loses nothing while the local server is down, while it is killed, and while it does not run', async () => {
  await login()
  const port = await freePort()
  const listener = await startListener([`127.0.0.1:${port}/x`, '--type', 'sms_mo'])
  expect(listener.stderr()).toContain('does not respond yet')
  const first = await gateway.event(account.accountId)
  await until(() => listener.stderr().includes('connection refused. Events wait until it does'), 'the note')
  let local = await startLocal(port)
  await until(() => local.ids.includes(first), 'the first event')

  listener.child.kill('SIGKILL')
  await listener.ended
  await local.close()
  const missed = [await gateway.event(account.accountId), await gateway.event(account.accountId)]
  // The lease of a reader that was killed would last a minute.
  await hookline.database.query('UPDATE consumers SET lease_until = now() WHERE account_id = $1', [
    account.accountId,
  ])
  local = await startLocal(port)
  const again = await startListener([`127.0.0.1:${port}/x`, '--type', 'sms_mo'])
  await until(() => missed.every((id) => local.ids.includes(id)), 'the missed events')
  expect(local.ids.filter((id) => id !== first)).toEqual(missed)
  await stop(again)

  // A listener that was stopped has committed and released: the next one starts at once, after the last event.
  const last = await gateway.event(account.accountId)
  const third = await startListener([`127.0.0.1:${port}/x`, '--type', 'sms_mo'])
  await until(() => local.ids.includes(last), 'the last event')
  expect(local.ids.filter((id) => missed.includes(id))).toHaveLength(2)
  await stop(third)
  await local.close()
})

test('an event whose connection was reset is sent again', async () => {
  await login()
  const ids: string[] = []
  const server = createServer((request, response) => {
    ids.push(String(request.headers['webhook-id']))
    if (ids.length < 3) request.socket.resetAndDestroy()
    else request.resume().on('end', () => response.writeHead(204).end())
  })
  const port = await freePort()
  await listenOn(port, server)
  const listener = await startListener([`127.0.0.1:${port}`, '--json'])
  const eventId = await gateway.event(account.accountId)
  await until(() => listener.stdout() !== '', 'the response')
  expect(ids).toEqual([eventId, eventId, eventId])
  expect(JSON.parse(listener.stdout())).toMatchObject({ event_id: eventId, status: 204 })
  await stop(listener)
  server.close()
})

test('credentials follow no redirect', async () => {
  const seen: string[] = []
  const other = createServer((request, response) => {
    seen.push(JSON.stringify(request.headers))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}')
  })
  const redirecting = createServer((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${otherPort}/api/caller` }).end()
  })
  const [otherPort, port] = [await freePort(), await freePort()]
  await listenOn(otherPort, other)
  await listenOn(port, redirecting)
  const env = { HOOKLINE_API_KEY: account.key, HOOKLINE_URL: `http://127.0.0.1:${port}` }
  expect((await tool.run(['whoami'], '', env)).code).toBe(6)
  expect(seen).toEqual([])
  other.close()
  redirecting.close()
})

test('an outage while tokens are refreshed is not the end of the sign-in', async () => {
  const port = await freePort()
  const tokens = { accessToken: 'a', refreshToken: 'r', expiresAt: 0 }
  const profile = {
    url: `http://127.0.0.1:${port}`,
    credential: 'oauth',
    account: { id: 1, name: 'x' },
    store: 'file',
  }
  await writeFile(
    join(tool.folder, 'config.json'),
    JSON.stringify({ current: 'default', profiles: { default: profile } }),
  )
  await writeFile(join(tool.folder, 'secrets.json'), JSON.stringify({ default: JSON.stringify(tokens) }))
  expect((await tool.run(['whoami'])).code).toBe(6)
  const server = createServer((_, response) => {
    response.writeHead(503).end()
  })
  await listenOn(port, server)
  expect((await tool.run(['whoami'])).code).toBe(6)
  expect(JSON.parse(JSON.parse(await readFile(join(tool.folder, 'secrets.json'), 'utf8')).default)).toEqual(
    tokens,
  )
  server.close()
})

test('listen prints its secret outside a terminal only on request', async () => {
  await login()
  const hidden = await startListener(['3999'])
  expect(hidden.stderr()).toContain('Signing secret: (hidden, see --show-secret)')
  expect(hidden.stdout() + hidden.stderr()).not.toContain('whsec_')
  await stop(hidden)
  const shown = await startListener(['3999', '--show-secret'])
  expect(shown.stderr()).toMatch(/Signing secret: whsec_\S{40}/)
  await stop(shown)
})

test('listen survives a restart of the service', async () => {
  await login()
  const port = await freePort()
  const local = await startLocal(port)
  const restartable = await hookline.startAnother({ PORT: '0' }, 'api')
  await tool.run(['login', '--url', restartable.url, '--api-key-stdin', '--profile', 'other'], account.key)
  const listener = await startListener([`127.0.0.1:${port}/`])
  restartable.child.kill('SIGKILL')
  await until(() => listener.stderr().includes('could not be reached'), 'the lost connection')
  const eventId = await gateway.event(account.accountId)
  await hookline.startAnother({ PORT: new URL(restartable.url).port }, 'api')
  await until(() => local.ids.includes(eventId), 'the event after the restart')
  expect(listener.stderr()).toContain('Connected again')
  await stop(listener)
  await local.close()
})

test('--since starts with earlier events and skips those before', async () => {
  await login()
  const old = await gateway.event(account.accountId)
  await hookline.database.query("UPDATE events SET accepted_at = now() - interval '1 minute' WHERE id = $1", [
    old,
  ])
  const recent = await gateway.event(account.accountId)
  const port = await freePort()
  const local = await startLocal(port)
  const listener = await startListener([String(port), '--since', '30s'])
  await until(() => local.ids.includes(recent), 'the recent event')
  expect(local.ids).toEqual([recent])
  await stop(listener)
  await local.close()
})

test('a second listener with the same name waits and says why', async () => {
  await login()
  const first = await startListener(['3999'])
  const second = tool.start(['listen', '3999'])
  await until(() => second.stderr().includes('--name'), 'the hint')
  await stop(first)
  await stop(second)
})

test('trigger reaches only the listener, with fields of the user and the steps of a scenario', async () => {
  await login()
  const remote: Receiver = await startReceiver((_, response) => {
    response.writeHead(204).end()
  })
  await tool.run(['webhooks', 'create', remote.url('/remote'), '--type', 'all'])
  const port = await freePort()
  const local = await startLocal(port)
  const listener = await startListener([String(port), '--json'])
  expect(await tool.run(['trigger', 'sms_mo', '--set', 'text=a=b', '--set', 'sender=4915'])).toMatchObject({
    code: 0,
  })
  const scenario = join(tool.folder, 'scenario.yaml')
  await writeFile(
    scenario,
    '- type: dlr\n  data: { status: ACCEPTED }\n- type: dlr\n  data: { status: DELIVERED }\n  wait: 0.5\n',
  )
  const sent = await tool.run(['trigger', '--scenario', scenario, '--json'])
  const ids = sent.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event_id)
  // A line is printed after the response.
  const printed = (): string[] => listener.stdout().split('\n').filter(Boolean)
  await until(() => printed().length === 3, 'three test events')
  expect(local.ids.slice(1)).toEqual(ids)
  expect(remote.requests).toEqual([])
  const lines = printed().map((line) => JSON.parse(line))
  expect(lines.map(({ is_test: isTest }) => isTest)).toEqual([true, true, true])
  const invalid = await tool.run(['trigger', 'sms_mo', '--set', 'id={"a":1}'])
  expect(invalid).toMatchObject({ code: 5 })
  await stop(listener)
  await local.close()
  await remote.close()
})

test('the listener of a webhook gets test events by the command that it names', async () => {
  await login()
  const created = await tool.run([
    'webhooks',
    'create',
    'https://example.com/a',
    '--type',
    'sms_mo',
    '--as',
    'post',
    '--json',
  ])
  const { id } = JSON.parse(created.stdout)
  const port = await freePort()
  const local = await startLocal(port)
  const listener = await startListener([`${port}/x`, '--webhook', String(id)])
  expect(listener.stderr()).toContain(`Signed with the secret of webhook ${id}.`)
  expect(listener.stderr()).not.toContain('Signing secret')
  expect(await tool.run(['trigger', 'sms_mo', '--webhook', String(id), '--listener'])).toMatchObject({
    code: 0,
  })
  await until(() => local.ids.length === 1, 'the test event')
  await stop(listener)
  expect(listener.stderr()).toContain(`To continue: hookline listen ${port}/x --webhook ${id}`)
  await local.close()
})

test('options can be repeated, and come before the argument', async () => {
  await login()
  const created = await tool.run([
    'webhooks',
    'create',
    '--type',
    'sms_mo',
    '--type',
    'dlr',
    'https://example.com/a',
  ])
  expect(created.stdout).toMatch(/^✓ Created webhook \d+ for sms_mo, dlr\.$/m)
  const [, id = ''] = /webhook (\d+)/.exec(created.stdout) ?? []
  expect(await tool.run(['webhooks', 'edit', id])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Name what to change'),
  })
  const listener = await startListener(['--type', 'sms_mo', String(await freePort())])
  expect(await tool.run(['trigger', '--set', 'text=a', 'sms_mo'])).toMatchObject({ code: 0 })
  await stop(listener)
})

test('webhooks: create, edit, test, disable, and JSON for scripts', async () => {
  await login()
  let status = 204
  const receiver = await startReceiver((_, response) => {
    response.writeHead(status).end()
  })
  const created = await tool.run([
    'webhooks',
    'create',
    receiver.url('/a'),
    '--type',
    'sms_mo,dlr',
    '--name',
    'Two \u{1b}[31mtypes'.replace('\u{1b}', ''),
    '--header',
    'X-Shop: 7',
    '--json',
  ])
  const hook = JSON.parse(created.stdout)
  expect(hook).toMatchObject({
    chosen: { event_types: ['sms_mo', 'dlr'] },
    headers: 'X-Shop: 7',
    request_method: 'JSON',
  })
  const id = String(hook.id)
  expect((await tool.run(['webhooks', 'edit', id, '--as', 'post'])).stdout).toContain(`Changed webhook ${id}`)
  expect((await tool.run(['webhooks', 'test', id])).stdout).toContain('Responded 204')
  status = 500
  expect(await tool.run(['webhooks', 'test', id])).toMatchObject({
    code: 7,
    stdout: expect.stringContaining('500'),
  })
  expect((await tool.run(['webhooks', 'disable', id])).code).toBe(0)
  expect((await tool.run(['webhooks', 'list'])).stdout).toMatch(
    new RegExp(`${id} .*sms_mo, dlr +POST +disabled`),
  )
  expect(await tool.run(['webhooks', 'delete', id])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  })
  expect((await tool.run(['webhooks', 'delete', id, '--yes'])).stdout).toContain(`Deleted webhook ${id}`)
  expect((await tool.run(['webhooks', 'show', id])).code).toBe(4)
  await receiver.close()
})

test('events: search, show and replay', async () => {
  await login()
  const receiver = await startReceiver((_, response) => {
    response.writeHead(204).end()
  })
  await tool.run(['webhooks', 'create', receiver.url('/e'), '--type', 'sms_mo'])
  const eventId = await gateway.event(account.accountId, { sender: '4917099988877' })
  await until(() => receiver.requests.length === 1, 'the delivery')
  const found = await tool.run(['events', 'search', '+4917099988877', '--json'])
  expect(JSON.parse(found.stdout)).toMatchObject([{ id: eventId }])
  const recent = await tool.run(['events', 'search', '--from', '2h', '--json'])
  expect(JSON.parse(recent.stdout)).toMatchObject([{ id: eventId }])
  const later = await tool.run(['events', 'search', '--to', '2h', '--json'])
  expect(JSON.parse(later.stdout)).toEqual([])
  const shown = await tool.run(['events', 'show', eventId])
  expect(shown.stdout).toContain('Delivered')
  expect(shown.stdout).not.toContain('4917099988877')
  expect((await tool.run(['events', 'show', eventId, '--reveal'])).stdout).toContain('4917099988877')
  expect(await tool.run(['events', 'replay', eventId, '--webhook', '999'])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('nothing to replay'),
  })
  expect((await tool.run(['events', 'replay', eventId])).code).toBe(0)
  await until(() => receiver.requests.length === 2, 'the replay')
  expect(receiver.requests[1]?.headers['webhook-id']).toBe(eventId)
  await receiver.close()
})

test('verify names what is wrong with a request', async () => {
  await login()
  const receiver = await startReceiver((_, response) => {
    response.writeHead(204).end()
  })
  const { stdout } = await tool.run(['webhooks', 'create', receiver.url('/v'), '--type', 'sms_mo', '--json'])
  const { id } = JSON.parse(stdout)
  await tool.run(['webhooks', 'test', String(id)])
  const [request] = receiver.requests
  const raw = (body: string, headers: Record<string, unknown> = request?.headers ?? {}) =>
    `POST /v HTTP/1.1\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${String(value)}\r\n`)
      .join('')}\r\n${body}`
  const body = request?.body.toString() ?? ''
  const check = (input: string, ...args: string[]) =>
    tool.run(['verify', '--webhook', String(id), ...args], input)
  expect(await check(raw(body))).toMatchObject({ code: 0, stdout: expect.stringContaining('Valid') })
  expect(await check(raw(JSON.stringify(JSON.parse(body), null, 2)))).toMatchObject({
    code: 7,
    stdout: expect.stringContaining(
      'body_changed: The body is not the one that was signed: it was parsed and serialized again',
    ),
  })
  const { 'webhook-signature': _, ...without } = request?.headers ?? {}
  expect(await check(raw(body, without))).toMatchObject({
    code: 7,
    stdout: expect.stringContaining('header_missing'),
  })
  const env = { HOOKLINE_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}` }
  expect(await tool.run(['verify'], raw(body), env)).toMatchObject({
    code: 7,
    stdout: expect.stringContaining('wrong_secret'),
  })
  expect(await tool.run(['verify'], 'hello', env)).toMatchObject({ code: 2 })
  expect(await check(raw(body) + raw(body))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('more than one request'),
  })
  expect(await check(raw(body.slice(0, 9)))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`it has 9 of ${body.length} bytes`),
  })
  expect(await check(raw(''))).toMatchObject({
    code: 7,
    stdout: expect.stringContaining('is empty'),
  })
  expect(await tool.run(['verify'], raw(body), { HOOKLINE_SECRET: account.key })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is an API key'),
  })
  await receiver.close()
})

test('tail prints events and deliveries', async () => {
  await login()
  const tail = tool.start(['tail', '--json'])
  await until(() => tail.stderr().includes('Waiting'), 'the tail')
  await sleep(1_000)
  const eventId = await gateway.event(account.accountId)
  await until(() => tail.stdout().includes(eventId), 'the event')
  const [line = ''] = tail.stdout().split('\n')
  expect(JSON.parse(line)).toMatchObject({ message: 'event', id: eventId })
  tail.child.kill('SIGINT')
  await tail.ended

  const earlier = tool.start(['tail', '--since', '10m'])
  await until(() => earlier.stdout().includes(eventId), 'the event')
  earlier.child.kill('SIGINT')
  await earlier.ended
})

test('a closed pipe ends the tool quietly, and colors follow NO_COLOR', async () => {
  await login()
  const listing = tool.start(['webhooks', 'list', '--json'], '')
  listing.child.stdout?.destroy()
  expect(await listing.ended).toBe(0)
  expect(listing.stderr()).toBe('')
  const colored = await tool.run(['doctor'], '', { FORCE_COLOR: '1' })
  expect(colored.stdout).toContain('\u{1b}[32m')
  const plain = await tool.run(['doctor'], '', { FORCE_COLOR: '1', NO_COLOR: '1' })
  expect(plain.stdout).not.toContain('\u{1b}')
  expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('Clock') })
})

test.each(['bash', 'zsh', 'fish'])('the completion script of %s has all commands', async (shell) => {
  const { code, stdout } = await tool.run(['completion', shell])
  expect(code).toBe(0)
  for (const word of ['listen', 'webhooks', 'replay', 'api-key-stdin']) expect(stdout).toContain(word)
})
