/** Helpers for dashboard tests: viewports, sign-in and accessibility checks. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { signIn } from '../../../server/test/support/browser-session.ts'
import type { TestService } from '../../../server/test/support/test-service.ts'
import { type PageProblems, recordProblems } from './browser.ts'

export const desktop = { width: 1280, height: 800 }
export const phone = { width: 360, height: 740 }
const narrowest = { width: 320, height: 640 }

/** For tests on both viewports. */
export const screens = [
  { name: 'desktop', viewport: desktop },
  { name: 'phone', viewport: phone },
]

export interface Visit {
  page: Page
  context: BrowserContext
  problems: PageProblems
  close: () => Promise<void>
}

const logCspViolations = `addEventListener('securitypolicyviolation', (event) =>
  console.error('CSP violation: ' + event.violatedDirective + ' ' + event.blockedURI))`

/** Opens a page in a new browser context without cookies or storage. */
export async function visit(browser: Browser, hookline: TestService, viewport = desktop): Promise<Visit> {
  const context = await browser.newContext({
    viewport,
    colorScheme: 'light',
    baseURL: hookline.url,
    timezoneId: 'UTC',
  })
  context.on('page', watchTraffic)
  const page = await context.newPage()
  const problems = recordProblems(page, hookline.url)
  await page.addInitScript({ content: logCspViolations })
  return { page, context, problems, close: () => context.close() }
}

/** Like `visit`, signed in. */
export async function visitAs(
  browser: Browser,
  hookline: TestService,
  login: Login,
  viewport = desktop,
): Promise<Visit> {
  const opened = await visit(browser, hookline, viewport)
  const { cookie } = await signIn(hookline.url, login)
  const [name = '', value = ''] = cookie.split('=')
  await opened.context.addCookies([{ name, value, url: hookline.url, httpOnly: true, sameSite: 'Lax' }])
  return opened
}

export interface Login {
  alias: string
  password: string
}

export async function fillSignIn(page: Page, { alias, password }: Login): Promise<void> {
  await page.getByLabel('Alias or email').fill(alias)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const statusTexts: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
}

/** Console message of the browser for a failed request. */
export function rejected(status: number): string {
  return `Failed to load resource: the server responded with a status of ${status} (${statusTexts[status]})`
}

interface Traffic {
  pending: Set<Request>
  idleSince: number
}

const traffics = new WeakMap<Page, Traffic>()
const idleMs = 400

/** Tracks pending requests of a page, except event streams. */
function watchTraffic(page: Page): void {
  const traffic: Traffic = { pending: new Set(), idleSince: performance.now() }
  const settle = (request: Request) => {
    if (traffic.pending.delete(request)) traffic.idleSince = performance.now()
  }
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') traffic.pending.add(request)
  })
  page.on('requestfinished', settle)
  page.on('requestfailed', settle)
  traffics.set(page, traffic)
}

/** Waits until no request has been pending for a while. */
export async function waitForNetworkIdle(page: Page): Promise<void> {
  const isIdle = () => {
    const traffic = traffics.get(page)
    return traffic?.pending.size === 0 && performance.now() - traffic.idleSince > idleMs
  }
  await expect.poll(isIdle, { timeout: 30_000 }).toBe(true)
}

/**
 * Checks accessibility with axe on desktop and phone, and the contrast of the dark colors. Also checks that the page is
 * not wider than the screen, down to 320 px.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await waitForNetworkIdle(page)
  await page.setViewportSize(desktop)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectUsable(page, `dark, ${desktop.width} wide`, (axe) => axe.withRules(contrast))
  await page.emulateMedia({ colorScheme: 'light' })
  await expectUsable(page, `light, ${desktop.width} wide`)
  await page.setViewportSize(phone)
  await expectUsable(page, `light, ${phone.width} wide`, (axe) => axe.disableRules(contrast))
  await page.setViewportSize(narrowest)
  await expectFits(page, `${narrowest.width} wide`)
  await page.setViewportSize(desktop)
}

/** The slowest rule by far. Light and dark differ only in color, and colors do not depend on the width. */
const contrast = ['color-contrast']

async function expectUsable(
  page: Page,
  how: string,
  limit: (axe: AxeBuilder) => AxeBuilder = (axe) => axe,
): Promise<void> {
  await waitForAnimations(page)
  // Pages have no frames, so the faster mode without an extra page per analysis finds the same.
  const { violations } = await limit(new AxeBuilder({ page }).setLegacyMode()).analyze()
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html) }))
  expect(found, `${page.url()}, ${how}`).toEqual([])
  await expectFits(page, how)
}

async function expectFits(page: Page, how: string): Promise<void> {
  const tooWide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  // An open menu moves after the screen has changed.
  const message = `${page.url()} is too wide, ${how}`
  await expect.poll(() => page.evaluate(tooWide), { message }).toBe(0)
}

/** Waits for animations, because fading elements fail the contrast check. Ignores endless animations. */
async function waitForAnimations(page: Page): Promise<void> {
  const moving = `document.getAnimations().filter((animation) =>
    animation.playState === 'running' && animation.effect?.getTiming().iterations !== Infinity).length`
  await expect.poll(() => page.evaluate(moving), { timeout: 20_000 }).toBe(0)
}
