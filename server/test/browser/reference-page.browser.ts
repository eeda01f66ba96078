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
  const overflow = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
  expect(overflow).toBe(false)
  await page.close()
})
