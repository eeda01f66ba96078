import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type TestWorld } from '../service.ts'
import { launchBrowser, listenForComplaints } from './browser.ts'

let world: TestWorld
let browser: Browser

beforeAll(async () => {
  world = await startWorld()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

/** A section is drawn when it is near; the first is where deprecated callers are sent to. */
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
  const complaints = listenForComplaints(page, world.url)
  for (const [anchor, title] of Object.entries(sections)) {
    await page.goto(`${world.url}/docs#${anchor}`)
    await page.getByRole('heading', { name: title }).first().waitFor()
  }
  expect(complaints).toEqual({ console: [], foreign: [] })
  // The stylesheet that the page injects is applied: without it, headings have the browser's own font.
  const font = await page.evaluate('getComputedStyle(document.querySelector("h1, h2")).fontFamily')
  expect(font).toContain('Inter')
  const overflow = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
  expect(overflow).toBe(false)
  await page.close()
})

test('the policy of the API reference allows no inline code but its own, by a nonce made for each response', async () => {
  const policies = await Promise.all(
    [1, 2].map(async () => {
      const response = await fetch(`${world.url}/docs/`)
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
