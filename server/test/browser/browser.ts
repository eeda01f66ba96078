/** Debian's Chromium, driven by Playwright, with everything it complains about kept for the test to see. */
import { execFileSync } from 'node:child_process'
import { type Browser, type Page, chromium } from 'playwright-core'

const quiet = [
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
  const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()
  return chromium.launch({ executablePath, args: quiet })
}

export interface Complaints {
  /** Errors and warnings of the console, CSP violations among them, and uncaught errors. */
  console: string[]
  /** Requests to anything but the service. */
  foreign: string[]
}

export function listenForComplaints(page: Page, origin: string): Complaints {
  const complaints: Complaints = { console: [], foreign: [] }
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.console.push(message.text())
  })
  page.on('pageerror', (error) => complaints.console.push(error.message))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) complaints.foreign.push(url)
  })
  return complaints
}
