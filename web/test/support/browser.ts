/** Headless Chromium from Debian with Playwright. Records console problems and external requests. */
import { execFileSync } from 'node:child_process'
import { type Browser, type Page, chromium } from 'playwright-core'

const chromiumArgs = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export function launchBrowser(): Promise<Browser> {
  const executablePath = execFileSync('which', ['chromium-headless-shell'], { encoding: 'utf8' }).trim()
  return chromium.launch({ executablePath, args: chromiumArgs })
}

export interface PageProblems {
  /** Console errors and warnings, CSP violations and uncaught errors. */
  console: string[]
  /** Requests to other origins. */
  external: string[]
}

export function recordProblems(page: Page, origin: string): PageProblems {
  const problems: PageProblems = { console: [], external: [] }
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.console.push(message.text())
  })
  page.on('pageerror', (error) => problems.console.push(error.message))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) problems.external.push(url)
  })
  return problems
}
