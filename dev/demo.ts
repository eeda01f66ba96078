/**
 * `npm run demo`: from a clone to delivered webhooks. Starts the services, runs migrations, starts Hookline, creates a
 * demo account, registers webhooks for two sample receivers, and submits an event every two seconds. One receiver fails
 * at first and recovers. Then the demo prints commands to try and goes on without a line per event, so that they stay
 * visible. Runs until Ctrl-C. `-- --verbose` prints every event, `-- --once` exits after a few.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv, promisify } from 'node:util'
import { baseEnv } from './base-env.ts'
import { buildWebIfStale } from './build-web.ts'
import { demoPath, listWebhooks, registerDemoWebhooks } from './demo-webhooks.ts'
import { freePort } from './ports.ts'
import { type ReceivedRequest, startReceiver } from './receiver.ts'
import { sourceServer, startProcess } from './service-process.ts'
import { startServices } from './services.ts'

const run = promisify(execFile)
const envFile = '.services/env'
const accountFile = '.services/demo.json'
const isOnce = process.argv.includes('--once')
const isVerbose = process.argv.includes('--verbose')
/** Enough for the flaky receiver to fail and recover. */
const printedEvents = 5
/** With `--verbose` the commands scroll away, so they are printed again. */
const eventsPerReminder = 30

interface DemoAccount {
  accountId: number
  alias: string
  password: string
  key: string
  producerKey: string
}

step('Starting PostgreSQL and NATS for this checkout')
await startServices((line) => console.log(`  ${line}`))

const settings = parseEnv(await readFile(envFile, 'utf8'))

step('Running database migrations')
const migrationOutput = await node('server/src/migrate.ts')
console.log(migrationOutput.replace(/^/gm, '  '))

step('Building the dashboard')
console.log((await buildWebIfStale()) ? '  built' : '  up to date')

step('Starting Hookline')
const port = await freePort(8080)
const url = `http://localhost:${port}`
const hooklineSettings = {
  ...settings,
  PORT: String(port),
  INTERNAL_PORT: String(await freePort(8081)),
  BASE_URL: url,
  // The sample receivers run on this machine.
  ALLOW_PRIVATE_TARGETS: 'true',
}
const hookline = await startProcess(hooklineSettings, 'all', () => true, sourceServer)
process.once('SIGINT', () => process.exit(0))
console.log(`  ${url}`)

step('Creating a demo account with an API key')
const account = existsSync(accountFile)
  ? (JSON.parse(await readFile(accountFile, 'utf8')) as DemoAccount)
  : await createAccount()
console.log(`  account   ${account.accountId}`)
console.log(`  login     ${account.alias}`)
console.log(`  password  ${account.password}`)
console.log(`  API key   ${account.key}`)

step('Starting two receivers and registering a webhook for each')
let isPrinting = true
/** IDs of messages differ between runs, so that a search in the dashboard finds one event. */
const firstMessageId = Math.floor(Date.now() / 1_000)
let failuresLeft = 2
const stable = await startReceiver((request, response) => {
  printRequest('stable  ', request, 204)
  response.statusCode = 204
  response.end()
})
const flaky = await startReceiver((request, response) => {
  const status = failuresLeft-- > 0 ? 500 : 200
  printRequest('flaky   ', request, status)
  response.statusCode = status
  response.end()
})
const api = { url, key: account.key }
const [hookId = ''] = await registerDemoWebhooks(api, [
  { name: 'Inbound SMS', url: stable.url(`${demoPath}/inbound-sms`) },
  { name: 'CRM (flaky)', url: flaky.url(`${demoPath}/crm`) },
])
for (const hook of await listWebhooks(api))
  console.log(`  webhook ${hook.id}  ${hook.event_type} as ${hook.request_method} to ${hook.target_url}`)

step('Submitting events: the flaky receiver fails twice, and Hookline retries after 5 s')
for (let count = 1; isOnce ? flaky.requests.length < 5 : true; count++) {
  await submitEvents(count)
  await sleep(2_000)
  if (count === printedEvents) isPrinting = isVerbose || isOnce
  if (count === printedEvents || (isVerbose && count % eventsPerReminder === 0)) printCommands()
}
process.exit(0)

function printCommands(): void {
  console.log(`
Try it yourself:

  # list webhooks
  curl ${url}/api/hooks -H 'X-Api-Key: ${account.key}'

  # register a webhook
  curl ${url}/api/hooks -H 'X-Api-Key: ${account.key}' \\
    -d target_url=https://example.com/status -d event_type=dlr

  # submit an event
  curl ${hookline.internalUrl}/intake/events -H 'Authorization: Bearer ${account.producerKey}' \\
    -d '{"events":[{"account_id":${account.accountId},"type":"sms_mo","data":{"id":"1","sender":"491700000001","system":"491700000002","text":"Hi","time":"1731656400"}}]}'

  # delete a webhook
  curl -X DELETE ${url}/api/hooks -H 'X-Api-Key: ${account.key}' -d id=${hookId}

Dashboard:     ${url}  sign in as ${account.alias} with password ${account.password}
API reference: ${url}/docs
Press Ctrl-C to stop Hookline. \`npm run services -- stop\` stops PostgreSQL and NATS.
\`npm run demo\` continues with this account and keeps the webhooks that you create.
${isPrinting ? '' : 'An event is submitted every two seconds. Watch them in the dashboard, or run `npm run demo -- --verbose`.\n'}`)
}

function step(title: string): void {
  console.log(`\n▸ ${title}`)
}

function printRequest(receiver: string, request: ReceivedRequest, status: number): void {
  if (!isPrinting) return
  const { id, text } = JSON.parse(request.body).data
  const attempt = String(request.headers['x-hookline-attempt'])
  console.log(
    `  ${receiver} ←  ${id}  "${text}"  attempt ${attempt}, responded ${status}${status < 300 ? ' ✓' : ' ✗'}`,
  )
}

async function submitEvents(count: number): Promise<void> {
  const data = {
    id: String(firstMessageId + count),
    sender: '491700000001',
    system: '491700000002',
    text: `Hello ${count}`,
    time: String(Math.floor(Date.now() / 1_000)),
  }
  const response = await fetch(`${hookline.internalUrl}/intake/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.producerKey}` },
    body: JSON.stringify({ events: [{ account_id: account.accountId, type: 'sms_mo', data }] }),
  })
  if (!response.ok) throw new Error(`POST /intake/events: ${response.status}`)
  if (isPrinting) console.log(`  accepted    ${data.id}  "${data.text}"`)
}

/** Only with the settings of the services: a DATABASE_URL of this shell may be that of production. */
async function node(file: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [file, ...args], { env: { ...baseEnv, ...settings } })
  return stdout.trim()
}

/** Creates the demo account and saves its credentials next to the database, so that later runs reuse it. */
async function createAccount(): Promise<DemoAccount> {
  const password = randomBytes(9).toString('base64url')
  const alias = `demo-${randomBytes(2).toString('hex')}`
  const login = ['--alias', alias, '--email', `${alias}@example.com`, '--password', password]
  const created = await admin('account', 'create', '--name', 'Demo', ...login)
  const { key } = await admin('key', 'create', '--account', String(created.account_id), '--name', 'demo')
  const producer = await admin('producer', 'create', '--name', 'demo')
  const demo: DemoAccount = {
    accountId: Number(created.account_id),
    alias,
    password,
    key: String(key),
    producerKey: String(producer.key),
  }
  await writeFile(accountFile, JSON.stringify(demo), { mode: 0o600 })
  return demo
}

async function admin(...args: string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await node('server/src/admin.ts', ...args, '--json'))
}
