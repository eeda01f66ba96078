/** Tests what the tool shows in a terminal, and that the documentation shows the same. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { createGateway, type Gateway } from '../../server/test/support/gateway.ts'
import {
  startDashboardService,
  type TestAccount,
  type TestService,
} from '../../server/test/support/test-service.ts'
import { widthOf } from '../src/text-width.ts'
import { createTool, type Tool } from './support.ts'
import { openTerminal, type Terminal } from './terminal.ts'

vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
let gateway: Gateway
let account: TestAccount
let tool: Tool
let terminal: Terminal
let local: Receiver
/** Of the local server. */
let response: { status: number; body: string }

beforeAll(async () => {
  hookline = await startDashboardService({}, 'all')
  gateway = await createGateway(hookline)
})
afterAll(() => hookline.close())
beforeEach(async () => {
  account = await hookline.account()
  tool = await createTool()
  response = { status: 200, body: '' }
  local = await startReceiver((_, answer) => void answer.writeHead(response.status).end(response.body))
})
afterEach(async () => {
  await terminal.close()
  await local.close()
  await tool.remove()
})

const credentials = () => ({ HOOKLINE_API_KEY: account.key, HOOKLINE_URL: hookline.url })

async function open(columns: number, rows: number, environment: Record<string, string> = {}): Promise<void> {
  terminal = await openTerminal(tool, { columns, rows }, { ...credentials(), ...environment })
}

async function listen(): Promise<void> {
  await terminal.start(['listen', local.url('/hooks')])
  await terminal.until('Connected. Waiting for events.')
}

async function receive(data: object = {}): Promise<string> {
  const before = local.requests.length
  const id = await gateway.event(account.accountId, data)
  await local.until((requests) => requests.length > before)
  return id
}

/** Replaces what differs in each run. */
function normalize(screen: string): string {
  return screen
    .replaceAll(/127\.0\.0\.1:\d+\/hooks/g, 'localhost:3000/hooks')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'hooks.example.com')
    .replaceAll(/whsec_\S+/g, 'whsec_NR+zCeReJ3844Kzo+AzSDG2mTh8blgEnCkMBgd0aG50=')
    .replaceAll(/\d\d:\d\d:\d\d/g, '09:30:00')
    .replaceAll(/in \d+ ms/g, 'in 2 ms')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '019a8716-5b1e-7c3a-9d54-2f6a8e0b7c91')
    .replaceAll(/timestamp: \d+/g, 'timestamp: 1763199000')
    .replaceAll(/v1,\S+/g, 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=')
    .replaceAll(/nonce: \w+/g, 'nonce: 3f0c9a51d27be84660f1c2d5')
    .replaceAll(/x-signature: \w+/g, 'x-signature: 8d1f6e0c')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

const screens = [...readFileSync('docs/cli.md', 'utf8').matchAll(/^```\n([^]*?)\n```$/gm)].map(
  ([, text]) => text,
)

test('list, details, retry and filter are as documented, and the end restores the terminal', async () => {
  await open(90, 11)
  const before = await terminal.state('#{alternate_on} #{cursor_flag} #{wrap_flag}')
  await listen()
  expect(await terminal.state('#{alternate_on} #{cursor_flag} #{wrap_flag}')).toBe('1 0 0')
  await receive({ text: 'First' })
  response = { status: 500, body: 'Error: no such table\n  at orders.ts' }
  await receive({ text: 'Second' })
  await receive({ text: 'Third' })
  await terminal.until(/500 in \d+ ms[^]*500 in/)
  response = { status: 200, body: 'ok' }
  await terminal.press('r')
  await terminal.until('Retried with a new signature.')
  const list = await terminal.until('retried 1×')
  expect(screens).toContain(normalize(list))

  response = { status: 422, body: 'unknown sender' }
  await terminal.press('Up', 'r')
  await terminal.until(/422 in \d+ ms/)
  await terminal.resize(90, 26)
  await terminal.press('Enter')
  await terminal.until('Response: 422')
  const details = await terminal.until('q quit')
  expect(screens).toContain(normalize(details))
  await terminal.press(...Array<string>(20).fill('Down'))
  await terminal.until('"text": "Second"')

  await terminal.press('Escape')
  await terminal.until('Enter details')
  await terminal.type('/second')
  await terminal.until('Filter: second')
  await terminal.press('Enter')
  const filtered = await terminal.until('filter "second"')
  expect(filtered.match(/sms_mo/g)).toHaveLength(1)
  await terminal.type('/x')
  await terminal.until('No event matches the filter.')
  await terminal.press('BSpace', 'Enter', 'q')
  await terminal.until('3 events forwarded. To continue: hookline listen')
  expect(await terminal.state('#{alternate_on} #{cursor_flag} #{wrap_flag}')).toBe(before)
  await terminal.type('stty -a; echo done')
  await terminal.press('Enter')
  expect(await terminal.until(/^done/m)).toMatch(/ icanon [^]* echo /)
})

test('a retry is signed anew: the receiver accepts it, and it is the same event', async () => {
  await open(80, 24)
  await listen()
  const screen = await terminal.screen()
  const secret = /whsec_\S+/.exec(screen)?.[0] ?? ''
  const id = await receive({ text: 'Again' })
  await terminal.until(/200 in/)
  await sleep(1_100)
  await terminal.press('r')
  await terminal.until('Retried with a new signature.')
  const [first, second] = local.requests
  expect(second?.body).toBe(first?.body)
  expect(second?.headers['webhook-id']).toBe(id)
  expect(Number(second?.headers['webhook-timestamp'])).toBeGreaterThan(
    Number(first?.headers['webhook-timestamp']),
  )
  new Webhook(secret).verify(second?.body ?? '', second?.headers as Record<string, string>)
  // The listener still has its position and its lease.
  await receive({ text: 'Next' })
})

test('a retry that cannot be signed anew says so', async () => {
  await open(100, 24)
  await listen()
  await receive()
  await terminal.until(/200 in/)
  await hookline.database.query('DELETE FROM consumers WHERE account_id = $1', [account.accountId])
  await terminal.press('r')
  await terminal.until(/Retried with the signature of \d\d:\d\d:\d\d: .*not found/)
})

test.each([
  [40, 12, '⏎ details · r retry · q quit'],
  [60, 20, 'Enter details · r retry · / filter · q quit'],
])('%d columns: no line is too wide, and the keys are shown', async (columns, rows, keys) => {
  await open(100, 30)
  await listen()
  await receive({ text: `${'漢字かな交じり文'.repeat(20)} مرحبا 👩‍👩‍👧 e\u0301${'\u0301'.repeat(20)}` })
  await terminal.until(/200 in/)
  await terminal.resize(columns, rows)
  expect(await terminal.until(keys)).toContain('sms_mo')
  await terminal.press('Enter')
  const details = await terminal.until('Response: 200')
  const lines = details.split('\n')
  expect(lines.length).toBeLessThanOrEqual(rows)
  expect(lines.filter((line) => widthOf(line) > columns)).toEqual([])
  expect(lines[0]).toMatch(/^Forwarding all events from .*…$/)
  // The secret can be copied.
  expect(lines.slice(1, 4).join('')).toMatch(/^Signing secret: whsec_[\w+/]{43}=/)
  expect(lines.at(-1)).toBe(
    columns === 40 ? 'Esc back · r retry · q quit' : 'Esc back · ↑↓ scroll · r retry · o open · q quit',
  )
})

test('sequences in events and responses do not reach the terminal', async () => {
  await open(100, 40)
  await listen()
  const hostile = '\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u009b5n\u202egnp.exe\u0008\r\n\u0000\u2028end'
  response = { status: 200, body: hostile }
  await receive({ text: hostile.replaceAll('\u0000', ''), sender: '+49\u001b[1A' })
  await terminal.until(/200 in/)
  await terminal.press('Enter')
  await terminal.until('gnp.exe')
  await terminal.press('Escape')
  await terminal.until('Enter details')
  await terminal.type('/\u001b]0;x')
  const written = await terminal.output()
  // oxlint-disable-next-line no-control-regex -- the sequences of the tool itself are removed
  const others = written.replaceAll(/\u001b\[(?:\?\d+[hl]|\d*[HKJm])|\r\n|\r/g, '')
  expect(others.slice(others.indexOf('Forwarding'))).not.toMatch(/(?![\t\n])[\p{Cc}\u202e\u2028]/u)
  expect(written).not.toContain('\u001b[2J')
  expect(await terminal.state('#{pane_title}')).not.toContain('owned')
})

test('NO_COLOR: the view has no colors', async () => {
  await open(80, 24)
  await listen()
  // oxlint-disable-next-line no-control-regex -- the sequences of colors
  expect(await terminal.coloredScreen()).toMatch(/\u001b\[/)
  await terminal.press('C-c')
  await terminal.until('0 events forwarded')
  await terminal.close()
  await open(80, 24, { NO_COLOR: '1' })
  await listen()
  await receive()
  await terminal.until(/200 in/)
  // oxlint-disable-next-line no-control-regex -- the sequences of colors
  expect(await terminal.coloredScreen()).not.toMatch(/\u001b\[/)
})

test('Ctrl+C, and a signal from outside, restore the terminal', async () => {
  await open(80, 24)
  for (const end of ['C-c', 'SIGTERM']) {
    await listen()
    if (end === 'C-c') await terminal.press('C-c')
    else process.kill(await childOf(Number(await terminal.state('#{pane_pid}'))), 'SIGTERM')
    await terminal.until('0 events forwarded')
    expect(await terminal.state('#{alternate_on} #{cursor_flag} #{wrap_flag}')).toBe('0 1 1')
    await terminal.type('clear; stty -a; echo done')
    await terminal.press('Enter')
    expect(await terminal.until(/^done/m)).toMatch(/ icanon [^]* echo /)
    await terminal.type('clear')
    await terminal.press('Enter')
  }
})

async function childOf(pid: number): Promise<number> {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])
}

test.each([
  ['y', '✓ Created Orders', '0'],
  ['n', 'Canceled.', '1'],
  ['C-c', 'Canceled.', '130'],
  ['C-d', 'Canceled.', '1'],
])('apply asks in a terminal: %s', async (key, text, code) => {
  await open(100, 24)
  const path = join(tool.folder, 'webhooks.yaml')
  await writeFile(
    path,
    'webhooks: [{ name: Orders, target_url: https://example.com/a, request_method: JSON, event_type: dlr }]\n',
  )
  await terminal.start(['apply', path])
  await terminal.until('Apply this change? [y/N]')
  await (key.startsWith('C-') ? terminal.press(key) : terminal.press(key, 'Enter'))
  await terminal.until(text)
  await terminal.type('echo code $?')
  await terminal.press('Enter')
  await terminal.until(`code ${code}`)
})
