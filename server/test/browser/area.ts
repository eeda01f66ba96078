/** The developer area as people meet it: their screens, their way in, and what every page must be. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { signIn } from '../person.ts'
import type { TestAccount, TestWorld } from '../service.ts'
import { type Complaints, listenForComplaints } from './browser.ts'

export const desk = { width: 1280, height: 800 }
export const phone = { width: 360, height: 740 }
const narrowest = { width: 320, height: 640 }

/** For what must work on both. */
export const screens = [
  { name: 'a desk', viewport: desk },
  { name: 'a phone', viewport: phone },
]

export interface Visit {
  page: Page
  context: BrowserContext
  complaints: Complaints
  close: () => Promise<void>
}

const tellViolations = `addEventListener('securitypolicyviolation', (event) =>
  console.error('against the policy: ' + event.violatedDirective + ' ' + event.blockedURI))`

/** A browser of somebody's own: no cookies, nothing kept. */
export async function visit(browser: Browser, world: TestWorld, viewport = desk): Promise<Visit> {
  const context = await browser.newContext({
    viewport,
    colorScheme: 'light',
    baseURL: world.url,
    timezoneId: 'UTC',
  })
  context.on('page', watchTraffic)
  const page = await context.newPage()
  const complaints = listenForComplaints(page, world.url)
  await page.addInitScript({ content: tellViolations })
  return { page, context, complaints, close: () => context.close() }
}

/** As `visit`, already signed in. */
export async function visitAs(
  browser: Browser,
  world: TestWorld,
  account: TestAccount,
  viewport = desk,
): Promise<Visit> {
  const opened = await visit(browser, world, viewport)
  const { cookie } = await signIn(world.url, account)
  const [name = '', value = ''] = cookie.split('=')
  await opened.context.addCookies([{ name, value, url: world.url, httpOnly: true, sameSite: 'Lax' }])
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
}

/** What the browser itself notes of a call that was refused. */
export function refused(status: number): string {
  return `Failed to load resource: the server responded with a status of ${status} (${statusTexts[status]})`
}

interface Traffic {
  open: Set<Request>
  quietSince: number
}

const traffics = new WeakMap<Page, Traffic>()
const quietMs = 400

/** Keeps what a page has asked for and not got yet, but for streams, which never end. */
function watchTraffic(page: Page): void {
  const traffic: Traffic = { open: new Set(), quietSince: performance.now() }
  const end = (request: Request) => {
    if (traffic.open.delete(request)) traffic.quietSince = performance.now()
  }
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') traffic.open.add(request)
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  traffics.set(page, traffic)
}

/** Until everything that was asked for is there and nothing more is asked for. */
async function untilQuiet(page: Page): Promise<void> {
  const isQuiet = () => {
    const traffic = traffics.get(page)
    return traffic?.open.size === 0 && performance.now() - traffic.quietSince > quietMs
  }
  await expect.poll(isQuiet, { timeout: 30_000 }).toBe(true)
}

/**
 * What every page must be, on a desk and on a phone, light and dark: usable by everybody, and no wider than the screen,
 * down to the narrowest.
 */
export async function expectSound(page: Page): Promise<void> {
  await untilQuiet(page)
  for (const viewport of [desk, phone]) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme: 'light' })
    await expectUsable(page, `light, ${viewport.width} wide`)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectUsable(page, `dark, ${viewport.width} wide`, ['color-contrast'])
  }
  await page.setViewportSize(narrowest)
  await expectFits(page, `${narrowest.width} wide`)
  await page.setViewportSize(desk)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Light and dark differ in their colours alone, so the second needs no other rule. */
async function expectUsable(page: Page, how: string, rules?: string[]): Promise<void> {
  await settle(page)
  const builder = new AxeBuilder({ page })
  const { violations } = await (rules === undefined ? builder : builder.withRules(rules)).analyze()
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html) }))
  expect(found, `${page.url()}, ${how}`).toEqual([])
  await expectFits(page, how)
}

async function expectFits(page: Page, how: string): Promise<void> {
  const tooWide = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(tooWide, `${page.url()} is too wide, ${how}`).toBe(0)
}

/** What fades has its own colours only when it is there; what turns for ever is not waited for. */
async function settle(page: Page): Promise<void> {
  const moving = `document.getAnimations().filter((animation) =>
    animation.playState === 'running' && animation.effect?.getTiming().iterations !== Infinity).length`
  await expect.poll(() => page.evaluate(moving), { timeout: 20_000 }).toBe(0)
}
