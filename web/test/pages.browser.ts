/** Serving of the dashboard: content security policy, assets and unknown paths. */
import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../server/test/support/http-call.ts'
import { startDashboardService, type TestService } from '../../server/test/support/test-service.ts'
import { screens, visit } from './support/dashboard.ts'
import { launchBrowser } from './support/browser.ts'

let hookline: TestService
let browser: Browser

beforeAll(async () => {
  hookline = await startDashboardService()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await hookline.close()
})

const browserHeaders = { accept: 'text/html,application/xhtml+xml' }

describe('the page', () => {
  test.each(['/', '/sign-in', '/connect/some-id', '/apps/hla_some', '/account/members', '/join'])(
    'at %s allows only its own files and styles with the nonce of the response',
    async (path) => {
      const first = await call(`${hookline.url}${path}`, { headers: browserHeaders })
      const second = await call(`${hookline.url}${path}`, { headers: browserHeaders })
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

  test('contains no inline script or style', async () => {
    const { text } = await call(`${hookline.url}/`, { headers: browserHeaders })
    expect(text.match(/<script(?![^>]* src="\/assets\/)[^>]*>/g)).toBeNull()
    expect(text.match(/<style|style="|javascript:| on\w+=/g)).toBeNull()
  })

  test('blocks injected scripts and files', async () => {
    const { page, problems, close } = await visit(browser, hookline)
    await page.route('**/forgot-password', async (route) => {
      const response = await route.fetch()
      const injected = `<script>globalThis.taken = true</script>
        <img src="x" onerror="globalThis.taken = true"><script src="https://evil.example/x.js"></script></body>`
      await route.fulfill({ response, body: (await response.text()).replace('</body>', injected) })
    })
    await page.goto('/forgot-password')
    await page.getByRole('heading', { name: 'Forgot password?' }).waitFor()
    expect(await page.evaluate('globalThis.taken')).toBeUndefined()
    expect(problems.console.filter((text) => text.startsWith('CSP violation')).toSorted()).toEqual([
      'CSP violation: script-src-attr inline',
      'CSP violation: script-src-elem https://evil.example/x.js',
      'CSP violation: script-src-elem inline',
    ])
    await close()
  })
})

test.each(screens)('guides are readable without a session on $name', async ({ viewport }) => {
  const { page, problems, close } = await visit(browser, hookline, viewport)
  await page.goto('/guides')
  await page.getByRole('link', { name: 'Signatures' }).click()
  await page.getByRole('heading', { name: 'Verifying signatures', level: 1 }).waitFor()
  // The examples are the files of the documentation.
  const tabs = page.getByRole('tablist', { name: 'Programming language' }).first()
  const languages = { Node: 'verify.mjs', Python: 'verify.py', Go: 'verify.go', Java: 'Verify.java' }
  for (const [language, file] of Object.entries(languages)) {
    await tabs.getByRole('tab', { name: language, exact: true }).click()
    const code = page.getByLabel(`${language} example`, { exact: true }).first()
    const text = await readFile(`docs/examples/verify/${file}`, 'utf8')
    await expect.poll(() => code.textContent()).toBe(text.trimEnd())
  }
  // A link to a section of another guide, a link for operators, an unknown guide, and a page that needs a session.
  await page.goto('/guides/delivery')
  await page.getByRole('link', { name: 'verify signatures' }).waitFor()
  expect(await page.getByRole('link', { name: 'event types', exact: true }).count()).toBe(0)
  await page.goto('/guides/retries#circuit-breaker')
  await expect
    .poll(() => page.getByRole('heading', { name: 'Circuit breaker' }).boundingBox())
    .toMatchObject({ y: expect.toSatisfy((y: number) => y < 200) })
  await page.goto('/guides/nothing')
  await page.getByText('This guide does not exist').waitFor()
  await page.getByRole('link', { name: 'Payloads' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(new URL(page.url()).searchParams.get('return_to')).toBe('/guides/payloads')
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

async function scriptPath(): Promise<string> {
  const { text } = await call(`${hookline.url}/`, { headers: browserHeaders })
  return /src="(\/assets\/index-[^"]+\.js)"/.exec(text)?.[1] ?? ''
}

describe('an asset', () => {
  test.each([
    { acceptEncoding: 'br, gzip', coding: 'br' },
    { acceptEncoding: 'gzip', coding: 'gzip' },
    { acceptEncoding: 'br;q=0, gzip', coding: 'gzip' },
    { acceptEncoding: 'identity', coding: null },
  ])(
    'is immutable and sent in an accepted encoding ($acceptEncoding)',
    async ({ acceptEncoding, coding }) => {
      const url = `${hookline.url}${await scriptPath()}`
      const plain = await call(url, { headers: { 'accept-encoding': 'identity' } })
      const response = await call(url, { headers: { 'accept-encoding': acceptEncoding } })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-encoding')).toBe(coding)
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(response.headers.get('vary')).toBe('accept-encoding')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.text).toBe(plain.text)
    },
  )

  test.each([
    '/assets/none.js',
    '/assets/..%2findex.html',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e%2f%2e%2e%2fvite.config.ts',
    '/index.html',
  ])('outside the build returns 404: %s', async (path) => {
    const { status, json } = await call(`${hookline.url}${path}`)
    expect({ status, code: json.code }).toEqual({ status: 404, code: 1110 })
  })
})

test('an unknown path returns a page to browsers and the error envelope to API clients', async () => {
  const page = await call(`${hookline.url}/nothing`, { headers: browserHeaders })
  expect(page.status).toBe(404)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const program = await call(`${hookline.url}/nothing`)
  expect(program.status).toBe(404)
  expect(program.json).toMatchObject({ success: false, code: 1110 })
  const api = await call(`${hookline.url}/api/nothing`, { headers: browserHeaders })
  expect(api.json).toMatchObject({ success: false, code: 900 })
})
