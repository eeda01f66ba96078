/** The examples of docs/signatures.md, unmodified, accept requests of a worker and reject modified ones. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { reservedPort } from '../../../dev/ports.ts'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { signingSecrets } from '../../src/hooks/open-secrets.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { isInstalled, programs, verify, type VerifyInput } from './verify/programs.ts'

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(join(root, 'docs/signatures.md'), 'utf8')
const [, standardWebhooks = ''] = /```ts\n(.*?)```/s.exec(page) ?? []

let hookline: TestService
let gateway: Gateway
let receiver: Receiver
const sent: Record<string, VerifyInput> = {}
/** A request during a rotation, with the secrets before and after it. */
let rotated: { input: VerifyInput; previousSecret: string }

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(hookline)
  receiver = await startReceiver()
  for (const method of ['JSON', 'POST', 'GET']) {
    const hook = await register(receiver.url(`/${method}?own=1`), method)
    sent[method] = { ...hook, ...(await deliver(hook.accountId)) }
  }
  const hook = await register(receiver.url('/rotated'), 'JSON')
  const { json } = await call(`${hookline.url}/api/hooks/${hook.id}/secret`, {
    method: 'POST',
    key: hook.key,
  })
  const request = await deliver(hook.accountId)
  rotated = { input: { ...hook, ...request, secret: json.secret }, previousSecret: hook.secret }
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

async function register(
  url: string,
  requestMethod: string,
): Promise<{ accountId: number; key: string; id: number; url: string; secret: string; signingKey: string }> {
  const { accountId, key } = await hookline.account()
  const form = { target_url: url, event_type: 'all', request_method: requestMethod }
  const { id } = (await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })).json
  const secrets = await signingSecrets(hookline.db, hookline.vault, accountId, id)
  if (secrets === undefined) throw new Error('hook not found')
  return { accountId, key, id, url, ...secrets }
}

/** Submits an event and returns the request that the receiver gets. */
async function deliver(accountId: number): Promise<ReturnType<typeof toVerifyInput>> {
  const event = await gateway.event(accountId, { text: 'Grüße & 😀' })
  const isDelivered = ({ headers }: ReceivedRequest) => headers['webhook-id'] === event
  await receiver.until((requests) => requests.some(isDelivered), 30_000)
  const request = receiver.requests.find(isDelivered)
  if (request === undefined) throw new Error('request not received')
  return toVerifyInput(request)
}

function toVerifyInput(
  request: ReceivedRequest,
): Pick<VerifyInput, 'headers' | 'method' | 'body' | 'content'> {
  const { method, body, url } = request
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  return { headers, method, body, content: method === 'GET' ? (url.split('?')[1] ?? '') : body }
}

/** Returns the sent request and its modifications, each with the expected results of both signature schemes. */
function variants(method: string): Array<[label: string, input: VerifyInput, expected: [boolean, boolean]]> {
  const input = sent[method]
  if (input === undefined) throw new Error('request not sent')
  const withHeaders = (headers: Record<string, string>): VerifyInput => ({
    ...input,
    headers: { ...input.headers, ...headers },
  })
  const signatures = input.headers['webhook-signature'] ?? ''
  return [
    ['unmodified', input, [true, true]],
    ['a second signature', withHeaders({ 'webhook-signature': `v1,AAAA ${signatures}` }), [true, true]],
    ['modified content', { ...input, content: `${input.content} `, body: `${input.body} ` }, [false, false]],
    ['another ID and nonce', withHeaders({ 'webhook-id': 'x', 'x-nonce': 'x' }), [false, false]],
    ['an older timestamp', withHeaders(timestamps(-60)), [false, false]],
    ['a newer timestamp', withHeaders(timestamps(60)), [false, false]],
    ['another secret', { ...input, secret: 'whsec_AAAA', signingKey: 'AAAA' }, [false, false]],
    ['another URL', { ...input, url: `${input.url}&x` }, [true, false]],
    ['another method', { ...input, method: 'PUT' }, [true, false]],
    ['no signatures', withHeaders({ 'webhook-signature': '', 'x-signature': '' }), [false, false]],
    ['no headers', { ...input, headers: {} }, [false, false]],
    ['signed six minutes ago', signedAt(input, Date.now() / 1_000 - 360), [false, false]],
    ['signed four minutes ago', signedAt(input, Date.now() / 1_000 - 240), [true, true]],
    ['signed six minutes ahead', signedAt(input, Date.now() / 1_000 + 360), [false, false]],
    ...['', 'whsec_'].map((secret): [string, VerifyInput, [boolean, boolean]] => [
      `signed with an empty key, secret "${secret}"`,
      signedAt({ ...input, secret, signingKey: '' }, Date.now() / 1_000),
      [false, false],
    ]),
  ]
}

function timestamps(seconds: number): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000) + seconds)
  return { 'webhook-timestamp': timestamp, 'x-timestamp': timestamp }
}

/** Signs the request as the page describes. */
function signedAt(input: VerifyInput, at: number): VerifyInput {
  const timestamp = String(Math.floor(at))
  const key = Buffer.from(input.secret.slice('whsec_'.length), 'base64')
  const signed = `${input.headers['webhook-id']}.${timestamp}.${input.content}`
  const md5 = createHash('md5').update(input.body).digest('hex')
  const lines = [timestamp, input.headers['x-nonce'], input.method, input.url, md5].join('\n')
  return {
    ...input,
    headers: {
      ...input.headers,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
      'x-timestamp': timestamp,
      'x-signature': createHmac('sha256', input.signingKey).update(lines).digest('hex'),
    },
  }
}

/** Compilers are large, so a machine may lack them. CI installs all other languages. */
const compiled = new Set(['Go', 'Java'])

describe.each(Object.keys(programs))('the examples in %s', (language) => {
  test.skipIf(compiled.has(language) && !isInstalled(language))(
    'accept genuine requests and reject every modification',
    () => {
      const { input, previousSecret } = rotated
      expect(input.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
      const cases = [
        ...['JSON', 'POST', 'GET'].flatMap((method) =>
          variants(method).map(([label, ...rest]) => [`${method}, ${label}`, ...rest] as const),
        ),
        ['after a rotation, new secret', input, [true, true]],
        ['after a rotation, old secret', { ...input, secret: previousSecret }, [true, true]],
        ['after a rotation, another secret', { ...input, secret: 'whsec_AAAA' }, [false, true]],
      ] as const
      const results = verify(
        language,
        cases.map(([, request]) => request),
      )
      expect(cases.map(([label], index) => [label, results[index]])).toEqual(
        cases.map(([label, , expected]) => [label, expected]),
      )
    },
  )
})

/** Runs a program that reads the input as JSON and prints the results as JSON. */
function run(command: string, args: string[], input: unknown): unknown {
  const output = execFileSync(command, args, { input: JSON.stringify(input), cwd: root, encoding: 'utf8' })
  return JSON.parse(output)
}

test('the standardwebhooks example parses a genuine request and throws for a modification', () => {
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
    cases.map(([, input]) => input),
  ) as unknown[]
  expect(read[0]).toMatchObject({ data: { text: 'Grüße & 😀' }, webhook_event: 'sms_mo' })
  expect(cases.map(([label], index) => [label, typeof read[index] === 'object'])).toEqual(
    cases.map(([label, , [isGenuine]]) => [label, isGenuine]),
  )
})

describe('a receiver written in PHP', () => {
  let folder: string
  let server: ChildProcess
  let url: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hookline-php-'))
    copyFileSync(join(root, 'docs/examples/verify/verify.php'), join(folder, 'webhook.php'))
    copyFileSync(join(root, 'docs/examples/verify-x-signature/verify.php'), join(folder, 'x-signature.php'))
    writeFileSync(
      join(folder, 'receiver.php'),
      `<?php
      require __DIR__ . '/webhook.php';
      require __DIR__ . '/x-signature.php';
      $s = json_decode(file_get_contents(__DIR__ . '/hook.json'), true);
      $headers = array_change_key_case(getallheaders());
      $body = file_get_contents('php://input');
      $content = $_SERVER['REQUEST_METHOD'] === 'GET' ? $_SERVER['QUERY_STRING'] : $body;
      file_put_contents(__DIR__ . '/got.json', json_encode([
        'verdicts' => [
          verify_webhook($s['secret'], $headers, $content),
          verify_x_signature($s['signingKey'], $headers, $_SERVER['REQUEST_METHOD'], $s['url'], $body),
        ],
        'get' => $_GET,
        'post' => $_POST,
        'json' => json_decode($body, true),
      ]));
      http_response_code(204);`,
    )
    // Below the ephemeral port range, so that the port is still free when PHP starts.
    const port = await reservedPort()
    url = `http://127.0.0.1:${port}/receiver.php`
    server = spawn('php', ['-S', `127.0.0.1:${port}`, '-t', folder], { stdio: 'ignore' })
    await vi.waitFor(() => fetch(url), { timeout: 30_000, interval: 50 })
  })
  afterAll(() => {
    server.kill()
    rmSync(folder, { recursive: true })
  })

  async function deliverTo(requestMethod: string, data: object): Promise<unknown> {
    const hook = await register(`${url}?own=1`, requestMethod)
    const resultFile = join(folder, 'got.json')
    rmSync(resultFile, { force: true })
    writeFileSync(join(folder, 'hook.json'), JSON.stringify(hook))
    const event = await gateway.event(hook.accountId, data)
    await expect
      .poll(() => hookline.database.query('SELECT state FROM deliveries WHERE event_id = $1', [event]), {
        timeout: 20_000,
      })
      .toEqual([{ state: 'delivered' }])
    expect(existsSync(resultFile)).toBe(true)
    return JSON.parse(readFileSync(resultFile, 'utf8'))
  }

  const sms = {
    id: '77001',
    sender: '491700000001',
    system: '491700000002',
    text: 'Grüße & 😀 a=b+c',
    time: '1731656400',
    message_type: 'SMS',
  }
  const common = { webhook_event: 'sms_mo', webhook_timestamp: expect.stringMatching(/^\d{4}-.+T.+\+00:00$/) }

  test("a POST is verified and available in $_POST['data']['sender']", async () => {
    const nested = { parts: ['a', { b: 'c' }], none: null, yes: true, big: 12_345_678_901 }
    expect(await deliverTo('POST', { text: sms.text, ...nested })).toEqual({
      verdicts: [true, true],
      get: { own: '1' },
      post: {
        data: { ...sms, parts: ['a', { b: 'c' }], none: '', yes: 'true', big: '12345678901' },
        ...common,
      },
      json: null,
    })
  })

  test("a GET is verified and available in $_GET['sender']", async () => {
    expect(await deliverTo('GET', { text: sms.text })).toEqual({
      verdicts: [true, true],
      get: { own: '1', ...sms, ...common },
      post: [],
      json: null,
    })
  })

  test('a JSON request is verified and decoded', async () => {
    expect(await deliverTo('JSON', { text: sms.text })).toEqual({
      verdicts: [true, true],
      get: { own: '1' },
      post: [],
      json: { data: sms, ...common },
    })
  })
})
