/** The developer area as people meet it: their screens, their way in, and what every page must be. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestAccount, TestWorld } from '../service.ts'
import { type Complaints, listenForComplaints } from './browser.ts'

export interface Screen {
  name: string
  viewport: { width: number; height: number }
  colorScheme: 'light' | 'dark'
}

const desk = { width: 1280, height: 800 }
const phone = { width: 360, height: 740 }

export const screens: readonly Screen[] = [
  { name: 'a desk, light', viewport: desk, colorScheme: 'light' },
  { name: 'a desk, dark', viewport: desk, colorScheme: 'dark' },
  { name: 'a phone, light', viewport: phone, colorScheme: 'light' },
  { name: 'a phone, dark', viewport: phone, colorScheme: 'dark' },
]

const usual: Screen = { name: 'usual', viewport: desk, colorScheme: 'light' }

const tellViolations = `addEventListener('securitypolicyviolation', (event) =>
  console.error('against the policy: ' + event.violatedDirective + ' ' + event.blockedURI))`

export interface Visit {
  page: Page
  context: BrowserContext
  complaints: Complaints
  close: () => Promise<void>
}

/** A browser of somebody's own: no cookies, nothing kept. */
export async function visit(browser: Browser, world: TestWorld, screen = usual): Promise<Visit> {
  const { viewport, colorScheme } = screen
  const context = await browser.newContext({ viewport, colorScheme, baseURL: world.url })
  const page = await context.newPage()
  const complaints = listenForComplaints(page, world.url)
  await page.addInitScript({ content: tellViolations })
  return { page, context, complaints, close: () => context.close() }
}

/** As `visit`, signed in and on the overview. */
export async function visitAs(
  browser: Browser,
  world: TestWorld,
  account: TestAccount,
  screen = usual,
): Promise<Visit> {
  const opened = await visit(browser, world, screen)
  await opened.page.goto('/sign-in')
  await fillSignIn(opened.page, account)
  await opened.page.getByRole('heading', { name: 'Overview' }).waitFor()
  // Asking who is signed in when nobody is.
  expect(opened.complaints.console.splice(0)).toEqual([refused(401)])
  return opened
}

export async function fillSignIn(
  page: Page,
  { alias, password }: { alias: string; password: string },
): Promise<void> {
  await page.getByLabel('Alias or e-mail address').fill(alias)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const statusTexts: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
}

/** What the browser itself notes of a call that was refused. */
export function refused(status: number): string {
  return `Failed to load resource: the server responded with a status of ${status} (${statusTexts[status]})`
}

/** What every page must be: usable by everybody, and no wider than the screen. */
export async function expectSound(page: Page): Promise<void> {
  await settle(page)
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(
    violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html) })),
    page.url(),
  ).toEqual([])
  const tooWide = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(tooWide, `${page.url()} is wider than its screen`).toBe(0)
}

/** What fades in has its own colours only when it is there; what turns for ever is not waited for. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(`document.getAnimations().every((animation) =>
    animation.playState === 'finished' || animation.effect?.getTiming().iterations === Infinity)`)
}
