import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../server/test/support/test-service.ts'
import { launchBrowser, recordProblems } from './support/browser.ts'

let hookline: TestService
let browser: Browser

beforeAll(async () => {
  hookline = await startTestService()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await hookline.close()
})

/** Sections render lazily. The first is the link target of deprecation warnings. */
const sections = {
  'description/authentication': 'Authentication',
  'tag/webhooks/GET/api/hooks': 'List webhooks',
  'tag/webhooks/POST/api/hooks': 'Register a webhook',
  'tag/webhooks/DELETE/api/hooks': 'Delete a webhook',
}

test.each([
  { name: 'a wide light screen', width: 1280, colorScheme: 'light' as const },
  { name: 'a narrow dark screen', width: 360, colorScheme: 'dark' as const },
])('the API reference shows every operation on $name', async ({ width, colorScheme }) => {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
  const problems = recordProblems(page, hookline.url)
  for (const [anchor, title] of Object.entries(sections)) {
    await page.goto(`${hookline.url}/docs#${anchor}`)
    await page.getByRole('heading', { name: title }).first().waitFor()
  }
  expect(problems).toEqual({ console: [], external: [] })
  // Without the injected stylesheet, headings have the default font of the browser.
  const font = await page.evaluate('getComputedStyle(document.querySelector("h1, h2")).fontFamily')
  expect(font).toContain('Inter')
  const overflow = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
  expect(overflow).toBe(false)
  // The header stays above the reference and leads to the guides.
  const links = page.getByRole('navigation', { name: 'Hookline' })
  expect(await links.getByRole('link').allTextContents()).toEqual(['Dashboard', 'Guides'])
  expect(await links.getByRole('link', { name: 'Guides' }).getAttribute('href')).toBe('/guides')
  await page.close()
})

test('the API reference allows only inline code with the nonce of the response', async () => {
  const policies = await Promise.all(
    [1, 2].map(async () => {
      const response = await fetch(`${hookline.url}/docs/`)
      const policy = response.headers.get('content-security-policy') ?? ''
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
      const scripts = (await response.text()).match(/<script[^>]*>/g) ?? []
      return { policy, nonce, scripts }
    }),
  )
  for (const { policy, nonce, scripts } of policies) {
    expect(policy).not.toMatch(/unsafe-(inline|eval)/)
    expect(nonce).toMatch(/^[\w+/]{22}==$/)
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([])
  }
  expect(policies[0]?.nonce).not.toBe(policies[1]?.nonce)
})
