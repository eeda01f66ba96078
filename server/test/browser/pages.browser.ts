/** How the developer area is handed out: its policy, its files, and what stands at paths that it does not have. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPages } from '../../src/http/pages.ts'
import { call } from '../call.ts'
import { startAreaWorld, type TestWorld } from '../service.ts'
import { visit } from './area.ts'
import { launchBrowser } from './browser.ts'

let world: TestWorld
let browser: Browser

beforeAll(async () => {
  world = await startAreaWorld()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

const person = { accept: 'text/html,application/xhtml+xml' }

describe('the page', () => {
  test.each(['/', '/sign-in', '/connect/some-id', '/apps/hla_some', '/account/audit'])(
    'at %s lets in nothing but our own files and the styles of this one answer',
    async (path) => {
      const first = await call(`${world.url}${path}`, { headers: person })
      const second = await call(`${world.url}${path}`, { headers: person })
      expect(first.status).toBe(200)
      expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(first.headers.get('cache-control')).toBe('no-store')
      const policy = first.headers.get('content-security-policy') ?? ''
      const nonce = /'nonce-([\w+/=]{24})'/.exec(policy)?.[1] ?? ''
      expect(policy).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; ` +
          `connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
      )
      expect(first.text).toContain(`nonce="${nonce}"`)
      expect(second.text).not.toContain(nonce)
      expect(second.headers.get('content-security-policy')).not.toContain(nonce)
    },
  )

  test('holds no script or style of its own', async () => {
    const { text } = await call(`${world.url}/`, { headers: person })
    expect(text.match(/<script(?![^>]* src="\/assets\/)[^>]*>/g)).toBeNull()
    expect(text.match(/<style|style="|javascript:| on\w+=/g)).toBeNull()
  })

  test('runs no script and loads no file that somebody managed to put into it', async () => {
    const { page, complaints, close } = await visit(browser, world)
    await page.route('**/forgotten', async (route) => {
      const answer = await route.fetch()
      const planted = `<script>globalThis.taken = true</script>
        <img src="x" onerror="globalThis.taken = true"><script src="https://evil.example/x.js"></script></body>`
      await route.fulfill({ response: answer, body: (await answer.text()).replace('</body>', planted) })
    })
    await page.goto('/forgotten')
    await page.getByRole('heading', { name: 'Forgotten your password?' }).waitFor()
    expect(await page.evaluate('globalThis.taken')).toBeUndefined()
    expect(complaints.console.filter((text) => text.startsWith('against the policy')).toSorted()).toEqual([
      'against the policy: script-src-attr inline',
      'against the policy: script-src-elem https://evil.example/x.js',
      'against the policy: script-src-elem inline',
    ])
    await close()
  })
})

async function scriptPath(): Promise<string> {
  const { text } = await call(`${world.url}/`, { headers: person })
  return /src="(\/assets\/index-[^"]+\.js)"/.exec(text)?.[1] ?? ''
}

describe('a file', () => {
  test.each([
    { wish: 'br, gzip', coding: 'br' },
    { wish: 'gzip', coding: 'gzip' },
    { wish: 'br;q=0, gzip', coding: 'gzip' },
    { wish: 'identity', coding: null },
  ])('is kept for ever and sent as the browser takes it ($wish)', async ({ wish, coding }) => {
    const address = `${world.url}${await scriptPath()}`
    const plain = await call(address, { headers: { 'accept-encoding': 'identity' } })
    const answer = await call(address, { headers: { 'accept-encoding': wish } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-encoding')).toBe(coding)
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.text).toBe(plain.text)
  })

  test.each([
    '/assets/none.js',
    '/assets/..%2findex.html',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e%2f%2e%2e%2fvite.config.ts',
    '/index.html',
  ])('that is not one of the area is not there: %s', async (path) => {
    const { status, json } = await call(`${world.url}${path}`)
    expect({ status, code: json.code }).toEqual({ status: 404, code: 1110 })
  })
})

test('at a path that there is not, people get a page and programs the envelope', async () => {
  const page = await call(`${world.url}/nothing`, { headers: person })
  expect(page.status).toBe(404)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const program = await call(`${world.url}/nothing`)
  expect(program.status).toBe(404)
  expect(program.json).toMatchObject({ success: false, code: 1110 })
  const api = await call(`${world.url}/api/nothing`, { headers: person })
  expect(api.json).toMatchObject({ success: false, code: 900 })
})

test('without the built area its paths say how to build it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-web-'))
  const app = fastify()
  await addPages(app, `${folder}/`)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const { status, text } = await call(`${url}/keys`, { headers: person })
  expect(status).toBe(503)
  expect(text).toContain('npm run build')
  await app.close()
  await rm(folder, { recursive: true })
})
