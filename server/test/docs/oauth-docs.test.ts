/** Runs the examples of docs/oauth.md, unmodified, against the service. */
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { scopes } from '../../src/model/caller.ts'
import {
  allowAccess,
  apiStatus,
  startInteraction,
  type Browser,
  getCode,
  openBrowser,
  registerApp,
  type TestApp,
} from '../support/oauth-client.ts'
import { startDashboardService, type TestService } from '../support/test-service.ts'

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(`${root}/docs/oauth.md`, 'utf8')

let hookline: TestService
let app: TestApp
let browser: Browser
let env: Record<string, string>

beforeAll(async () => {
  hookline = await startDashboardService()
  app = await registerApp(hookline, await openBrowser(hookline).signIn(await hookline.account()))
  browser = openBrowser(hookline)
  await browser.signIn(await hookline.account())
  env = {
    PATH: process.env.PATH ?? '',
    BASE_URL: hookline.url,
    CLIENT_ID: app.id,
    CLIENT_SECRET: app.secret ?? '',
    REDIRECT_URI: app.redirectUri,
  }
})
afterAll(() => hookline.close())

test('the curl commands work in sequence', async () => {
  const examples = [...page.matchAll(/```sh\n(.*?)```(?:\s+```json\n(.*?)```)?/gs)]
  expect(examples).toHaveLength(5)
  const { code, verifier } = await getCode(browser, app)
  Object.assign(env, { CODE: code, VERIFIER: verifier })

  const responses: Array<Record<string, unknown>> = []
  for (const [, command = '', expected] of examples) {
    const silent = command.replaceAll('curl', 'curl -sS --fail-with-body')
    const { stdout } = await run('bash', ['-euc', silent], { env })
    const response = stdout === '' ? {} : JSON.parse(stdout)
    responses.push(response)
    if (expected !== undefined) expect(withoutSecrets(response)).toEqual(JSON.parse(expected))
    if (response.access_token !== undefined)
      Object.assign(env, { ACCESS_TOKEN: response.access_token, REFRESH_TOKEN: response.refresh_token })
  }
  expect(responses[0]).toMatchObject({ issuer: `${hookline.url}/oauth` })
  expect(responses[3]).toMatchObject({ scope: 'hooks:read', expires_in: 3600 })
  expect(await apiStatus(hookline.url, env.ACCESS_TOKEN ?? '')).toBe(401)
})

test('the Node.js program works', async () => {
  const [, example = ''] = /```ts\n(.*?)```/s.exec(page) ?? []
  // Needed because the test service uses HTTP.
  const program = example.replace("algorithm: 'oauth2'", '$&, execute: [openid.allowInsecureRequests]')
  expect(program).not.toBe(example)
  const user = `
    import { createInterface } from 'node:readline/promises'
    const session = {}
    console.log(String(await ask(session)))
    const address = await createInterface({ input: process.stdin }).question('')
    const first = await finish(new URL(address), session)
    const second = await refresh(first.refresh_token)
    console.log(JSON.stringify(second))
    process.exit(0)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program + user], {
    cwd: root,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const address = (await lines.next()).value ?? ''
  const callback = await allowAccess(browser, await startInteraction(browser, address))
  child.stdin.end(`${callback.href}\n`)
  const tokens = JSON.parse((await lines.next()).value ?? '')
  expect(tokens).toMatchObject({ scope: 'hooks:read', expires_in: 3600 })
  expect(await apiStatus(hookline.url, tokens.access_token)).toBe(200)
})

test('the documented scopes match the code', () => {
  const rows = [...page.matchAll(/^\| `([a-z:]+)`\s+\| (.*?)\s+\|$/gm)].filter(
    ([, name = '']) => name in scopes,
  )
  const described = Object.fromEntries(rows.map(([, name, description]) => [name, description]))
  const { all: _notForApps, ...forApps } = scopes
  const expected = Object.entries(forApps).map(([name, description]) => [
    name,
    description.charAt(0).toLowerCase() + description.slice(1),
  ])
  expect(described).toEqual(Object.fromEntries(expected))
})

function withoutSecrets(response: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(response).map(([name, value]) => [
      name,
      /^(access|refresh)_token$/.test(name) ? '…' : value,
    ]),
  )
}
