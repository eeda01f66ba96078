/** Tests `apply` and `webhooks export` as processes against a real service. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  startDashboardService,
  type TestAccount,
  type TestService,
} from '../../server/test/support/test-service.ts'
import { startProxy } from './proxy.ts'
import { createTool, type Tool, until } from './support.ts'

vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
let account: TestAccount
let tool: Tool
let path: string
let environment: Environment

beforeAll(async () => {
  hookline = await startDashboardService({}, 'all')
})
afterAll(() => hookline.close())
beforeEach(async () => {
  account = await hookline.account()
  tool = await createTool()
  path = join(tool.folder, 'webhooks.yaml')
  environment = { HOOKLINE_API_KEY: account.key, HOOKLINE_URL: hookline.url }
})
afterEach(() => tool.remove())

type Environment = Record<string, string>

const run = (args: readonly string[], env: Environment = {}) => tool.run(args, '', { ...environment, ...env })

async function apply(text: string, args: readonly string[] = ['--yes'], env: Environment = {}) {
  await writeFile(path, text)
  return run(['apply', path, ...args], env)
}

interface Webhook {
  id: number
  name: string | null
  target_url: string
}

async function listWebhooks(): Promise<Webhook[]> {
  const { hooks } = (await call('GET', '/api/hooks/health')) as { hooks: { hook: Webhook }[] }
  return hooks.map(({ hook }) => hook)
}

async function call(method: string, address: string, body?: object): Promise<unknown> {
  const response = await fetch(`${hookline.url}${address}`, {
    method,
    headers: { 'x-api-key': account.key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response.status, await response.clone().text()).toBe(200)
  return response.json()
}

const orders = `webhooks:
  - name: Orders
    target_url: https://example.com/orders
    request_method: JSON
    event_type: sms_mo
`

const everything = `webhooks:
  - name: 'Bestellungen „Köln“ 🚚 👩‍👩‍👧: #1'
    description: |
      ${'Long text. '.repeat(60).trim()}
      Second line with "quotes", 'others' and مرحبا.
    target_url: https://example.com/a?b=\${NO}&c=%20#d
    request_method: GET
    event_types: [sms_mo, dlr]
    event_filter: 'cel:data.text == "it''s \\"here\\"" || data.text.contains("#: ") // comment'
    headers:
      X-Shop: 7
      X-Version: 1.10
      X-Dollar: $\${HOME}
      X-Quoted: '"a": b'
      X-Empty: ''
    max_per_second: 25
    form_fields: flat
    accept_header: true
    trace_header: true
    signature_url: complete
    retry_policy: original
  - name: '123'
    target_url: https://example.com/b
    request_method: POST
    event_type: all
    event_filter: 4915123456789
`.replace('${NO}', 'x')

test('webhooks are created once, and the second run changes nothing', async () => {
  const first = await apply(everything)
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toContain('2 to create, 0 to update, 0 to delete, 0 unchanged.')
  expect(await listWebhooks()).toMatchObject([
    {
      name: 'Bestellungen „Köln“ 🚚 👩‍👩‍👧: #1',
      description: expect.stringMatching(/Second line with "quotes", 'others' and مرحبا\.$/),
      target_url: 'https://example.com/a?b=x&c=%20#d',
      request_method: 'GET',
      chosen: {
        event_types: ['sms_mo', 'dlr'],
        event_filter: 'cel:data.text == "it\'s \\"here\\"" || data.text.contains("#: ") // comment',
      },
      headers: 'X-Shop: 7\nX-Version: 1.10\nX-Dollar: ${HOME}\nX-Quoted: "a": b\nX-Empty: ',
      max_per_second: 25,
      form_fields: 'flat',
      accept_header: true,
      trace_header: true,
      signature_url: 'complete',
      retry_policy: 'original',
    },
    { name: '123', event_type: 'all', event_filter: '4915123456789', headers: '', form_fields: 'nested' },
  ])
  const second = await apply(everything)
  expect(second).toMatchObject({
    code: 0,
    stdout: '0 to create, 0 to update, 0 to delete, 2 unchanged.\n',
    stderr: '',
  })
})

test.each([
  ['without values of headers', []],
  ['with values of headers', ['--show-headers']],
])('an exported file has no changes, %s', async (_, args) => {
  await apply(everything)
  await call('POST', '/api/hooks/create', { target_url: 'https://example.com/c', event_type: 'all' })
  for (const event_type of ['dlr', 'rcs'])
    await call('POST', '/api/hooks/create', { target_url: 'https://example.com/d', event_type, name: 'Same' })
  const { stdout } = await run(['webhooks', 'export', ...args])
  expect(stdout.includes('"a": b')).toBe(args.length > 0)
  expect(stdout.match(/- id: /g)).toHaveLength(3)
  expect(await apply(stdout, ['--dry-run'])).toEqual({
    code: 0,
    stdout: '0 to create, 0 to update, 0 to delete, 5 unchanged.\n',
    stderr: '',
  })
})

test('the plan shows old and new values, but no values of headers and no secrets in URLs', async () => {
  const withHeaders = `${orders}    headers: { Authorization: 'Bearer old', X-Same: 1, X-Gone: 1 }\n`
  await apply(withHeaders.replace('/orders', '/orders?token=firstsecret'))
  const changed = `${orders}    headers: { Authorization: 'Bearer new', X-Same: 1, X-Added: 1 }
    max_per_second: 5
    event_filter: 'cel:data.text == "${'x'.repeat(300)}"'\n`
  await writeFile(path, changed.replace('/orders', '/orders?token=othersecret'))
  const { code, stdout } = await run(['apply', path, '--dry-run'])
  expect(code).toBe(7)
  expect(stdout).toContain(`~ update Orders (`)
  expect(stdout.split('\n').slice(1)).toEqual([
    '    target_url: https://example.com/orders?token=… → https://example.com/orders?token=… (a hidden part is different)',
    `    event_filter: none → cel:data.text == "${'x'.repeat(142)}…`,
    '    headers: Authorization, X-Same, X-Gone → Authorization (new value), X-Same, X-Gone (removed), X-Added (added)',
    '    max_per_second: none → 5',
    '',
    '0 to create, 1 to update, 0 to delete, 0 unchanged.',
    '',
  ])
  const json = await run(['apply', path, '--dry-run', '--json'])
  expect(json.stdout).not.toMatch(/Bearer|secret/)
  expect(JSON.parse(json.stdout)).toMatchObject({
    changes: [{ action: 'update', name: 'Orders', fields: [{ field: 'target_url' }, {}, {}, {}] }],
    unchanged: 0,
    not_in_file: 0,
  })
  expect(await listWebhooks()).toMatchObject([{ target_url: 'https://example.com/orders?token=firstsecret' }])
})

test('without a terminal, a change needs --yes', async () => {
  expect(await apply(orders, [])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  expect(await listWebhooks()).toEqual([])
})

test('an id identifies a webhook, so it can be renamed', async () => {
  await apply(orders)
  const [{ id } = {}] = await listWebhooks()
  const renamed = orders.replace('- name: Orders', `- id: ${String(id)}\n    name: Orders of Cologne`)
  expect((await apply(renamed)).stdout).toContain('name: Orders → Orders of Cologne')
  expect(await listWebhooks()).toMatchObject([{ id, name: 'Orders of Cologne' }])
})

test.each([
  [
    'an unknown key',
    orders.replace('event_type', 'event_typ'),
    '5: Unknown key "event_typ". Did you mean "event_type"?',
    '5:5',
  ],
  ['a wrong choice', `${orders}    retry_policy: standrad\n`, 'Did you mean "standard"?', '6:19'],
  ['no method', orders.replace('    request_method: JSON\n', ''), 'Missing "request_method"', '2:5'],
  [
    'two webhooks with one name',
    orders + orders.replace('webhooks:\n', ''),
    'line 2 has the same name "Orders"',
    '6:5',
  ],
  ['no name', orders.replace('name: Orders', 'description: x'), 'needs a name', '2:5'],
  [
    'an id that does not exist',
    orders.replace('name: Orders', 'id: 999999'),
    'Webhook 999999 not found',
    '2:9',
  ],
  ['a map instead of text', `${orders}    description: { a: b }\n`, 'Expected text', '6:18'],
  ['a limit of 0', `${orders}    max_per_second: 0\n`, 'from 1 to 10,000', '6:21'],
  ['a duplicate key', `${orders}    event_type: dlr\n`, 'The key "event_type" is used twice', '6:5'],
  ['a header twice', `${orders}    headers: { X-a: 1, x-A: 2 }\n`, 'The header "x-A" is used twice', '6:29'],
  [
    'a header with a line feed',
    `${orders}    headers: { X-a: "1\\nX-b: 2" }\n`,
    'other than visible ASCII',
    '6:21',
  ],
  ['a header without a value', `${orders}    headers:\n      X-a:\n`, 'needs a value', '7:11'],
  ['a reserved header', `${orders}    headers: { Host: a }\n`, 'reserved', '6:14'],
  [
    'a URL of a private network',
    orders.replace('https://example.com', 'https://10.0.0.1'),
    'Invalid URL',
    '3:17',
  ],
  ['a broken filter', `${orders}    event_filter: 'cel:data.text =='\n`, 'Add a value after', '6:19'],
  ['an unknown type', orders.replace('sms_mo', 'sms'), 'must be one of', '5:17'],
  ['broken YAML', `${orders}  - [\n`, 'Flow sequence', '7:1'],
  ['a tag', orders.replace('sms_mo', '!!js/function x'), 'Unresolved tag', '5:17'],
  ['two documents', `${orders}---\n${orders}`, 'multiple documents', '6:1'],
  ['no list', 'webhooks: Orders\n', 'Expected a list', '1:11'],
  ['an unset variable', `${orders}    headers: { X-a: "\${MISSING}" }\n`, 'MISSING is not set', '6:21'],
  [
    'a credential of the tool',
    `${orders}    headers: { X-a: "\${HOOKLINE_API_KEY}" }\n`,
    'HOOKLINE_API_KEY cannot be used',
    '6:21',
  ],
  ['an unfinished variable', `${orders}    headers: { X-a: "\${A" }\n`, 'environment variable', '6:21'],
])('%s is reported with its line and column, and nothing is changed', async (_, text, message, at) => {
  const { code, stderr } = await apply(text)
  expect(stderr).toContain(message)
  expect(stderr).toContain(`webhooks.yaml:${at}: `)
  expect(code).toBe(2)
  expect(await listWebhooks()).toEqual([])
})

test('an edit made after the plan is a conflict, and is not overwritten', async () => {
  await apply(orders)
  const [{ id } = { id: 0 }] = await listWebhooks()
  const proxy = await startProxy(hookline.url, {
    async before({ url }) {
      if (url === '/api/hooks/preview')
        await call('POST', `/api/hooks/${id}`, { target_url: 'https://example.com/theirs' })
    },
  })
  const ours = orders.replace('/orders', '/ours')
  expect(await apply(ours, ['--yes'], { HOOKLINE_URL: proxy.url })).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/Conflict at webhook Orders[^]*0 of 1 changes were applied/),
  })
  expect(await listWebhooks()).toMatchObject([{ target_url: 'https://example.com/theirs' }])
  proxy.close()
})

test('an edit made at the same moment is reported with its author, and other fields keep it', async () => {
  await apply(orders)
  const [{ id } = { id: 0 }] = await listWebhooks()
  const proxy = await startProxy(hookline.url, {
    async before({ url, method }) {
      if (url === `/api/hooks/${id}` && method === 'POST')
        await call('POST', `/api/hooks/${id}`, { max_per_second: 9 })
    },
  })
  const ours = orders.replace('/orders', '/ours')
  expect(await apply(ours, ['--yes'], { HOOKLINE_URL: proxy.url })).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('changed it at the same moment'),
  })
  expect(await listWebhooks()).toMatchObject([{ target_url: 'https://example.com/ours', max_per_second: 9 }])
  proxy.close()
})

test('the first failure ends the run, which says what was applied and how to continue', async () => {
  const manual = await call('POST', '/api/hooks/create', {
    target_url: 'https://example.com/third',
    event_type: 'sms_mo',
    request_method: 'JSON',
  })
  const { id } = (manual as { hook: Webhook }).hook
  const entry = (name: string) => orders.replace('webhooks:\n', '').replace('Orders', name)
  const three =
    orders + entry('Third').replace('/orders', '/third') + entry('Fourth').replace('/orders', '/fourth')
  expect(await apply(three)).toMatchObject({
    code: 5,
    stdout: expect.stringContaining('✓ Created Orders'),
    stderr: expect.stringMatching(
      new RegExp(`Third: Webhook ${id} .*already has[^]*1 of 3 changes were applied[^]*"id: ${id}"`),
    ),
  })
  const continued = await apply(three.replace('- name: Third', `- id: ${id}\n    name: Third`))
  expect(continued).toMatchObject({ code: 0, stdout: expect.stringContaining('1 to create, 1 to update') })
})

test('Ctrl+C stops after the current change', async () => {
  const entry = (name: string) => orders.replace('webhooks:\n', '').replace(/Orders|orders/g, name)
  await writeFile(path, orders + entry('second') + entry('third'))
  const proxy = await startProxy(hookline.url, {
    before({ url }) {
      if (url === '/api/hooks/create') running.child.kill('SIGINT')
    },
  })
  const running = tool.start(['apply', path, '--yes'], '', { ...environment, HOOKLINE_URL: proxy.url })
  await until(() => running.stderr().includes('Stopping after the current change'), 'the note')
  expect(await running.ended).toBe(130)
  expect(running.stdout()).toContain('✓ Created Orders')
  expect(running.stderr()).toContain('1 of 3 changes were applied.')
  expect(await listWebhooks()).toMatchObject([{ name: 'Orders' }])
  proxy.close()
})

test('--prune deletes only webhooks that are shown and named', async () => {
  await apply(orders)
  await call('POST', '/api/hooks/create', { target_url: 'https://example.com/manual', event_type: 'all' })
  const [, { id: manual } = { id: 0 }] = await listWebhooks()
  expect((await apply(orders)).stdout).toContain(
    '1 webhook of the account is not in the file and will be kept',
  )
  const shown = await apply(orders, ['--prune', '--dry-run'])
  expect(shown).toMatchObject({
    code: 7,
    stdout: expect.stringContaining(`- delete example.com/manual (${manual})`),
  })
  expect(await apply(orders, ['--prune', '--yes'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`--allow-delete ${manual}`),
  })
  expect(await apply(orders, ['--prune', '--yes', '--allow-delete', '1'])).toMatchObject({ code: 2 })
  expect(await listWebhooks()).toHaveLength(2)
  expect(await apply(orders, ['--prune', '--yes', '--allow-delete', `1,${manual}`])).toMatchObject({
    code: 0,
  })
  expect(await listWebhooks()).toMatchObject([{ name: 'Orders' }])
})

function withHeader(url: string, value: string): string {
  return `webhooks: [{ name: Orders, target_url: ${url}, request_method: JSON, event_type: dlr, headers: { Authorization: ${value} } }]`
}

test('a header whose value is kept does not move to another host', async () => {
  await apply(withHeader('https://shop.example.com/a', 'Bearer stored'))
  expect(await apply(withHeader('https://shop.example.com/b', '~'))).toMatchObject({ code: 0 })
  expect(await apply(withHeader('https://other.example.com/b', '~'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The URL has another host. Write the value of "Authorization"'),
  })
  expect(await apply(withHeader('https://other.example.com/b', 'Bearer new'))).toMatchObject({ code: 0 })
})

test('variables go only where the user has allowed it, and their values are never printed', async () => {
  const text = `${orders.replace('/orders', '/${PART}')}    headers: { Authorization: 'Bearer \${TOKEN}' }\n`
  const env = { TOKEN: 'tok-1234567', PART: 'part-1234567', FORCE_COLOR: '0' }
  const plan = await apply(text, ['--dry-run'], env)
  expect(plan.stdout).toContain('target_url: https://example.com/${PART}\n')
  expect(plan.stdout).toContain('values of PART, TOKEN are sent to example.com')
  const refused = await apply(text, ['--yes', '--allow-env', 'TOKEN'], env)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('environment variables: PART.') })
  expect(await listWebhooks()).toEqual([])
  const applied = await apply(text, ['--yes', '--allow-env', 'TOKEN,PART'], env)
  expect(applied.code).toBe(0)
  expect(await listWebhooks()).toMatchObject([
    { target_url: 'https://example.com/part-1234567', headers: 'Authorization: Bearer tok-1234567' },
  ])
  expect([plan, refused, applied].map(({ stdout, stderr }) => stdout + stderr).join('')).not.toContain(
    '1234567',
  )
  // Nothing is sent again, so nothing is asked.
  expect(await apply(text, ['--yes'], env)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 unchanged'),
  })
})

const bombs: [string, string, string][] = [
  ['a file of more than 1 MB', `#${'x'.repeat(1024 * 1024)}`, 'larger than 1 MB'],
  ['more than 1,000 webhooks', `webhooks:\n${'  - a: 1\n'.repeat(1_001)}`, 'At most 1,000'],
  [
    'aliases that multiply',
    `a: &a [x, x, x, x, x, x, x, x, x, x]\n${'bcdefghijk'
      .split('')
      .map((name, index) => `${name}: &${name} [${`*${'abcdefghij'[index] ?? ''}, `.repeat(10)}]`)
      .join('\n')}\nwebhooks: *k\n`,
    'Unknown key "a"',
  ],
  ['an alias of itself', 'webhooks: &a [*a]\n', 'Expected keys'],
  ['100,000 nested lists', `webhooks: ${'['.repeat(100_000)}`, 'nested too deeply'],
  [
    '80,000 keys',
    `webhooks:\n  - {${[...Array(80_000).keys()].map((key) => `k${key}: 1`).join(', ')}}\n`,
    'More than 100 keys',
  ],
  ['100,000 aliases', `webhooks:\n  - event_types: &t [&a x, ${'*a, '.repeat(100_000)}]\n`, 'At most 100'],
]

test.each(bombs)('%s ends at once', async (_, text, message) => {
  const startedAt = performance.now()
  expect(await apply(text)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  expect(performance.now() - startedAt).toBeLessThan(15_000)
})
