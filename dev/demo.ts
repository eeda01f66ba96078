/**
 * `npm run demo`: from a clone to a registered webhook. Starts the services, migrates, starts Hookline, makes a demo
 * account and registers a webhook in it; then stays until Ctrl-C, so that the printed commands work.
 * `-- --once` ends after the picture, for scripts.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { parseEnv, promisify } from 'node:util'
import { startProcess } from './service-process.ts'
import { freePort, startServices } from './services.ts'

const run = promisify(execFile)
const envFile = '.services/env'
const accountFile = '.services/demo.json'

interface DemoAccount {
  accountId: number
  alias: string
  password: string
  key: string
}

step('Starting PostgreSQL and NATS of this folder’s own')
await startServices((line) => console.log(`  ${line}`))

step('Bringing the database up to date')
const migrated = await node('server/src/migrate.ts')
console.log(migrated.replace(/^/gm, '  '))

step('Starting Hookline')
const port = await freePort(8080)
const url = `http://localhost:${port}`
const hookline = await startProcess({
  ...parseEnv(await readFile(envFile, 'utf8')),
  PORT: String(port),
  INTERNAL_PORT: String(await freePort(8081)),
  BASE_URL: url,
})
process.once('exit', () => hookline.child.kill('SIGTERM'))
process.once('SIGINT', () => process.exit(0))
console.log(`  ${url}`)

step('A demo account with an API key')
const account = existsSync(accountFile)
  ? (JSON.parse(await readFile(accountFile, 'utf8')) as DemoAccount)
  : await makeAccount()
console.log(`  account   ${account.accountId}`)
console.log(`  login     ${account.alias}`)
console.log(`  password  ${account.password}`)
console.log(`  API key   ${account.key}`)

step('Registering a webhook and listing the account’s webhooks')
const target = 'https://example.com/webhooks/inbound-sms'
const created = await callApi(
  'POST',
  `target_url=${encodeURIComponent(target)}&event_type=sms_mo&request_method=JSON`,
)
console.log(`  POST /api/hooks  →  ${created}`)
const listed = await callApi('GET')
console.log(`  GET  /api/hooks  →  ${listed}`)

console.log(`
Try it yourself:

  # list
  curl ${url}/api/hooks -H 'X-Api-Key: ${account.key}'

  # register
  curl ${url}/api/hooks -H 'X-Api-Key: ${account.key}' \\
    -d target_url=https://example.com/status -d event_type=dlr

  # delete
  curl -X DELETE ${url}/api/hooks -H 'X-Api-Key: ${account.key}' -d id=${JSON.parse(created).id}

API reference: ${url}/docs
`)

if (process.argv.includes('--once')) process.exit(0)
console.log('Hookline runs until you press Ctrl-C; `npm run services -- stop` ends the database.')

function step(title: string): void {
  console.log(`\n▸ ${title}`)
}

async function node(file: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [`--env-file=${envFile}`, file, ...args])
  return stdout.trim()
}

/** Kept beside the database it lives in, so that a second run shows the same account. */
async function makeAccount(): Promise<DemoAccount> {
  const password = randomBytes(9).toString('base64url')
  const alias = `demo-${randomBytes(2).toString('hex')}`
  const login = ['--alias', alias, '--email', `${alias}@example.com`, '--password', password]
  const made = await admin('account', 'create', '--name', 'Demo', ...login)
  const { key } = await admin('key', 'create', '--account', String(made.account_id), '--name', 'demo')
  const demo: DemoAccount = {
    accountId: Number(made.account_id),
    alias,
    password,
    key: String(key),
  }
  await writeFile(accountFile, JSON.stringify(demo), { mode: 0o600 })
  return demo
}

async function admin(...args: string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await node('server/src/admin.ts', ...args, '--json'))
}

async function callApi(method: string, form?: string): Promise<string> {
  const response = await fetch(`${url}/api/hooks`, {
    method,
    headers: {
      'x-api-key': account.key,
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form !== undefined && { body: form }),
  })
  return response.text()
}
