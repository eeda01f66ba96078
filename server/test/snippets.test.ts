/** The snippets of docs/delivery.md, as they stand there, verify what a worker really sent and refuse everything else. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash, createHmac, randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../dev/receiver.ts'
import { signingSecrets } from '../src/hooks/delivery-hooks.ts'
import { call } from './call.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { startWorld, type TestWorld } from './service.ts'

// Processes are started in these tests, and the machine decides how long that takes.
vi.setConfig({ testTimeout: 120_000 })

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/delivery.md'), 'utf8')
const section = page.slice(page.indexOf('\n## Snippets\n')).split(/\n## (?!Snippets)/)[0] ?? ''
const [typescript = '', standardWebhooks = ''] = blocks('ts')
const [php = ''] = blocks('php')
const [python = ''] = blocks('python')

function blocks(language: string): string[] {
  return [...section.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(
    ([, code]) => code ?? '',
  )
}

/** What a verifying function is given. */
interface Shown {
  secret: string
  signatureKey: string
  headers: Record<string, string>
  method: string
  address: string
  body: string
  /** The body; of a GET the query. */
  content: string
}

let world: TestWorld
let gateway: Gateway
let receiver: Receiver
const sent: Record<string, Shown> = {}

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(world)
  receiver = await startReceiver()
  for (const method of ['JSON', 'POST', 'GET']) {
    const hook = await register(receiver.url(`/${method}?own=1`), method)
    const event = await gateway.event(hook.accountId, { text: 'Grüße & 😀' })
    await receiver.until((got) => got.some((request) => request.headers['webhook-id'] === event), 30_000)
    const request = receiver.requests.find(({ headers }) => headers['webhook-id'] === event)
    if (request === undefined) throw new Error('nothing was received')
    sent[method] = { ...hook, ...shownOf(request) }
  }
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

async function register(
  address: string,
  requestMethod: string,
): Promise<{ accountId: number; address: string; secret: string; signatureKey: string }> {
  const { accountId, key } = await world.account()
  const form = { target_url: address, event_type: 'all', request_method: requestMethod }
  const { id } = (await call(`${world.url}/api/hooks`, { method: 'POST', key, form })).json
  const secrets = await signingSecrets(world.db, world.vault, accountId, id)
  if (secrets === undefined) throw new Error('no such hook')
  return { accountId, address, ...secrets }
}

function shownOf(request: ReceivedRequest): Pick<Shown, 'headers' | 'method' | 'body' | 'content'> {
  const { method, body, url } = request
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  return { headers, method, body, content: method === 'GET' ? (url.split('?')[1] ?? '') : body }
}

/** As it was sent, and in every way it must not be believed; the two verdicts of each. */
function variants(method: string): Array<[what: string, shown: Shown, verdicts: [boolean, boolean]]> {
  const shown = sent[method]
  if (shown === undefined) throw new Error('nothing was sent')
  const withHeaders = (headers: Record<string, string>): Shown => ({
    ...shown,
    headers: { ...shown.headers, ...headers },
  })
  const signatures = shown.headers['webhook-signature'] ?? ''
  return [
    ['as it was sent', shown, [true, true]],
    ['during a rotation', withHeaders({ 'webhook-signature': `v1,AAAA ${signatures}` }), [true, true]],
    [
      'its content changed',
      { ...shown, content: `${shown.content} `, body: `${shown.body} ` },
      [false, false],
    ],
    ['another id and nonce', withHeaders({ 'webhook-id': 'x', 'x-nonce': 'x' }), [false, false]],
    ['another secret', { ...shown, secret: 'whsec_AAAA', signatureKey: 'AAAA' }, [false, false]],
    ['another address', { ...shown, address: `${shown.address}&x` }, [true, false]],
    ['another method', { ...shown, method: 'PUT' }, [true, false]],
    ['no signatures', withHeaders({ 'webhook-signature': '', 'x-signature': '' }), [false, false]],
    ['no headers', { ...shown, headers: {} }, [false, false]],
    ['signed six minutes ago', signedAt(shown, Date.now() / 1_000 - 360), [false, false]],
    ['signed four minutes ago', signedAt(shown, Date.now() / 1_000 - 240), [true, true]],
    ['signed six minutes ahead', signedAt(shown, Date.now() / 1_000 + 360), [false, false]],
  ]
}

/** Signed here, by the description in the page. */
function signedAt(shown: Shown, at: number): Shown {
  const timestamp = String(Math.floor(at))
  const key = Buffer.from(shown.secret.slice('whsec_'.length), 'base64')
  const signed = `${shown.headers['webhook-id']}.${timestamp}.${shown.content}`
  const md5 = createHash('md5').update(shown.body).digest('hex')
  const lines = [timestamp, shown.headers['x-nonce'], shown.method, shown.address, md5].join('\n')
  return {
    ...shown,
    headers: {
      ...shown.headers,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
      'x-timestamp': timestamp,
      'x-signature': createHmac('sha256', shown.signatureKey).update(lines).digest('hex'),
    },
  }
}

/** Runs a program that reads what is shown as JSON and prints the verdicts as JSON. */
function run(command: string, args: string[], input: unknown): unknown {
  const printed = execFileSync(command, args, { input: JSON.stringify(input), cwd: root, encoding: 'utf8' })
  return JSON.parse(printed)
}

const programs: Record<string, (input: unknown) => unknown> = {
  TypeScript: (input) =>
    run(
      process.execPath,
      [
        '--input-type=module-typescript',
        '--eval',
        `${typescript}
        import { readFileSync } from 'node:fs'
        const verdicts = JSON.parse(readFileSync(0, 'utf8')).map((s: any) => [
          verifyWebhook(s.secret, s.headers, s.content),
          verifyXSignature(s.signatureKey, s.headers, s.method, s.address, s.body),
        ])
        console.log(JSON.stringify(verdicts))`,
      ],
      input,
    ),
  PHP: (input) =>
    run(
      'php',
      [
        '-r',
        `${php}
        foreach (json_decode(file_get_contents('php://stdin'), true) as $s) $verdicts[] = [
          verify_webhook($s['secret'], $s['headers'], $s['content']),
          verify_x_signature($s['signatureKey'], $s['headers'], $s['method'], $s['address'], $s['body']),
        ];
        echo json_encode($verdicts);`,
      ],
      input,
    ),
  Python: (input) =>
    run(
      'python3',
      [
        '-c',
        `${python}
import json, sys
print(json.dumps([[
    verify_webhook(s['secret'], s['headers'], s['content'].encode()),
    verify_x_signature(s['signatureKey'], s['headers'], s['method'], s['address'], s['body'].encode()),
] for s in json.load(sys.stdin)]))`,
      ],
      input,
    ),
}

describe.each(Object.keys(programs))('the snippet in %s', (language) => {
  test.each(['JSON', 'POST', 'GET'])('verifies a %s, and nothing that is not genuine', (method) => {
    const cases = variants(method)
    const verdicts = programs[language]?.(cases.map(([, shown]) => shown)) as unknown[]
    expect(cases.map(([what], index) => [what, verdicts[index]])).toEqual(
      cases.map(([what, , expected]) => [what, expected]),
    )
  })
})

test('the snippet with standardwebhooks reads a JSON and throws at what is not genuine', () => {
  const cases = variants('JSON')
  const program = `${standardWebhooks}
    import { readFileSync } from 'node:fs'
    const read = JSON.parse(readFileSync(0, 'utf8')).map((s: any) => {
      try { return readWebhook(s.secret, s.headers, s.body) } catch (error: any) { return error.name }
    })
    console.log(JSON.stringify(read))`
  const read = run(
    process.execPath,
    ['--input-type=module-typescript', '--eval', program],
    cases.map(([, shown]) => shown),
  ) as unknown[]
  expect(read[0]).toMatchObject({ data: { text: 'Grüße & 😀' }, webhook_event: 'sms_mo' })
  expect(cases.map(([what], index) => [what, typeof read[index] === 'object'])).toEqual(
    cases.map(([what, , [isGenuine]]) => [what, isGenuine]),
  )
})

describe('a receiver written in PHP', () => {
  let folder: string
  let server: ChildProcess
  let url: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hookline-php-'))
    writeFileSync(
      join(folder, 'receiver.php'),
      `<?php
      ${php}
      $s = json_decode(file_get_contents(__DIR__ . '/hook.json'), true);
      $headers = array_change_key_case(getallheaders());
      $body = file_get_contents('php://input');
      $content = $_SERVER['REQUEST_METHOD'] === 'GET' ? $_SERVER['QUERY_STRING'] : $body;
      file_put_contents(__DIR__ . '/got.json', json_encode([
        'verdicts' => [
          verify_webhook($s['secret'], $headers, $content),
          verify_x_signature($s['signatureKey'], $headers, $_SERVER['REQUEST_METHOD'], $s['address'], $body),
        ],
        'get' => $_GET,
        'post' => $_POST,
        'json' => json_decode($body, true),
      ]));
      http_response_code(204);`,
    )
    // Below the ports that outgoing connections use, so that it is still free when PHP starts.
    const port = await freePort(randomInt(20_000, 32_000))
    url = `http://127.0.0.1:${port}/receiver.php`
    server = spawn('php', ['-S', `127.0.0.1:${port}`, '-t', folder], { stdio: 'ignore' })
    await vi.waitFor(() => fetch(url), { timeout: 30_000, interval: 50 })
  })
  afterAll(() => {
    server.kill()
    rmSync(folder, { recursive: true })
  })

  async function receive(requestMethod: string, data: object): Promise<unknown> {
    const hook = await register(`${url}?own=1`, requestMethod)
    const gotFile = join(folder, 'got.json')
    rmSync(gotFile, { force: true })
    writeFileSync(join(folder, 'hook.json'), JSON.stringify(hook))
    const event = await gateway.event(hook.accountId, data)
    await expect
      .poll(() => world.database.query('SELECT state FROM deliveries WHERE event_id = $1', [event]), {
        timeout: 20_000,
      })
      .toEqual([{ state: 'delivered' }])
    expect(existsSync(gotFile)).toBe(true)
    return JSON.parse(readFileSync(gotFile, 'utf8'))
  }

  const sms = {
    id: '77001',
    sender: '491700000001',
    system: '491700000002',
    text: 'Grüße & 😀 a=b+c',
    time: '1731656400',
  }
  const own = { webhook_event: 'sms_mo', webhook_timestamp: expect.stringMatching(/^\d{4}-.+T.+\+00:00$/) }

  test("reads a POST by $_POST['data']['sender'], verified", async () => {
    const nested = { parts: ['a', { b: 'c' }], none: null, yes: true, big: 12_345_678_901 }
    expect(await receive('POST', { text: sms.text, ...nested })).toEqual({
      verdicts: [true, true],
      get: { own: '1' },
      post: {
        data: { ...sms, parts: ['a', { b: 'c' }], none: '', yes: 'true', big: '12345678901' },
        ...own,
      },
      json: null,
    })
  })

  test("reads a GET by $_GET['sender'], verified", async () => {
    expect(await receive('GET', { text: sms.text })).toEqual({
      verdicts: [true, true],
      get: { own: '1', ...sms, ...own },
      post: [],
      json: null,
    })
  })

  test('reads JSON, verified', async () => {
    expect(await receive('JSON', { text: sms.text })).toEqual({
      verdicts: [true, true],
      get: { own: '1' },
      post: [],
      json: { data: sms, ...own },
    })
  })
})
