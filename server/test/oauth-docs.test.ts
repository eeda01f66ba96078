/** The examples of docs/oauth.md, as they stand there, against the service as it is. */
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { scopes } from '../src/model/caller.ts'
import {
  agree,
  apiStatus,
  arrive,
  type Browser,
  getCode,
  openBrowser,
  registerApp,
  type TestApp,
} from './oauth-client.ts'
import { startAreaWorld, type TestWorld } from './service.ts'

// Processes are started in these tests, and the machine decides how long that takes.
vi.setConfig({ testTimeout: 120_000 })

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(`${root}/docs/oauth.md`, 'utf8')

let world: TestWorld
let app: TestApp
let browser: Browser
let env: Record<string, string>

beforeAll(async () => {
  world = await startAreaWorld()
  app = await registerApp(world, await openBrowser(world).signIn(await world.account()))
  browser = openBrowser(world)
  await browser.signIn(await world.account())
  env = {
    PATH: process.env.PATH ?? '',
    BASE_URL: world.url,
    CLIENT_ID: app.id,
    CLIENT_SECRET: app.secret ?? '',
    REDIRECT_URI: app.redirectUri,
  }
})
afterAll(() => world.close())

test('the curl lines, one after the other', async () => {
  const examples = [...page.matchAll(/```sh\n(.*?)```(?:\s+```json\n(.*?)```)?/gs)]
  expect(examples).toHaveLength(5)
  const { code, verifier } = await getCode(browser, app)
  Object.assign(env, { CODE: code, VERIFIER: verifier })

  const answers: Array<Record<string, unknown>> = []
  for (const [, command = '', expected] of examples) {
    const quiet = command.replaceAll('curl', 'curl -sS --fail-with-body')
    const { stdout } = await run('bash', ['-euc', quiet], { env })
    const answer = stdout === '' ? {} : JSON.parse(stdout)
    answers.push(answer)
    if (expected !== undefined) expect(withoutSecrets(answer)).toEqual(JSON.parse(expected))
    if (answer.access_token !== undefined)
      Object.assign(env, { ACCESS_TOKEN: answer.access_token, REFRESH_TOKEN: answer.refresh_token })
  }
  expect(answers[0]).toMatchObject({ issuer: `${world.url}/oauth` })
  expect(answers[3]).toMatchObject({ scope: 'hooks:read', expires_in: 3600 })
  expect(await apiStatus(world.url, env.ACCESS_TOKEN ?? '')).toBe(401)
})

test('the program for Node', async () => {
  const [, example = ''] = /```ts\n(.*?)```/s.exec(page) ?? []
  // Only because the service of a test speaks http.
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
  const callback = await agree(browser, await arrive(browser, address))
  child.stdin.end(`${callback.href}\n`)
  const tokens = JSON.parse((await lines.next()).value ?? '')
  expect(tokens).toMatchObject({ scope: 'hooks:read', expires_in: 3600 })
  expect(await apiStatus(world.url, tokens.access_token)).toBe(200)
})

test('the scopes are those there are, in the same words', () => {
  const rows = [...page.matchAll(/^\| `([a-z:]+)`\s+\| (.*?)\s+\|$/gm)].filter(
    ([, name = '']) => name in scopes,
  )
  const described = Object.fromEntries(rows.map(([, name, words]) => [name, words]))
  const { all: _notForApps, ...forApps } = scopes
  const wanted = Object.entries(forApps).map(([name, words]) => [
    name,
    words.charAt(0).toLowerCase() + words.slice(1),
  ])
  expect(described).toEqual(Object.fromEntries(wanted))
})

function withoutSecrets(answer: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      /^(access|refresh)_token$/.test(name) ? '…' : value,
    ]),
  )
}
