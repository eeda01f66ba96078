/**
 * Steps of the first-webhook guide: create a webhook, send a test event, find the cause of its failure. They run in a real
 * browser against a real receiver. The text and screenshot of each step make up the guide.
 */
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { startDashboardService } from '../../../server/test/support/test-service.ts'
import { type desktop, type Visit, visitAs } from './dashboard.ts'
import { launchBrowser } from './browser.ts'

export const guideFile = fileURLToPath(new URL('../../../docs/guide/first-webhook.md', import.meta.url))

export function screenshotFile(name: string): string {
  return fileURLToPath(new URL(`../../../docs/guide/first-webhook/${name}.png`, import.meta.url))
}

interface Step {
  title: string
  /** Instructions in Markdown. */
  text: string
  /** File name of the screenshot after the step. */
  screenshot: string
  run: (page: Page) => Promise<void>
}

interface Newcomer extends Visit {
  steps: Step[]
  /** Status codes that the newcomer's server returned. */
  received: () => number[]
}

export interface Guide {
  newcomer: (viewport: typeof desktop) => Promise<Newcomer>
  close: () => Promise<void>
}

/** Each newcomer gets a new account and a server that fails until it is repaired. */
export async function startGuide(): Promise<Guide> {
  const browser = await launchBrowser()
  const hookline = await startDashboardService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'all')
  const servers: Receiver[] = []
  return {
    async newcomer(viewport) {
      let isRepaired = false
      const responses: number[] = []
      const server = await startReceiver((_request, response) => {
        response.writeHead(isRepaired ? 200 : 500, { 'content-type': 'application/json' })
        response.end(isRepaired ? '{"ok":true}' : '{"error":"unknown field: sender"}')
        responses.push(response.statusCode)
      })
      servers.push(server)
      const steps = createSteps(server, () => (isRepaired = true))
      const visit = await visitAs(browser, hookline, await hookline.account(), viewport)
      return { ...visit, steps, received: () => responses }
    },
    async close() {
      await browser.close()
      await hookline.close()
      for (const server of servers) await server.close()
    },
  }
}

function createSteps(server: Receiver, repair: () => void): Step[] {
  return [
    {
      title: 'Open the overview',
      text: 'Sign in. The overview of a new account shows three steps, which complete themselves as far as Hookline can see. Press **New webhook**.',
      screenshot: 'overview',
      async run(page) {
        await page.goto('/')
        await page.getByRole('heading', { name: 'Your first webhook' }).waitFor()
      },
    },
    {
      title: 'Define the rule',
      text: 'Enter your endpoint URL and, if you like, a name that the dashboard shows instead. Without a server of your own, choose the built-in test receiver. The right side previews the exact request for each of the three methods, and the command that creates the same webhook. The form rejects a URL that is not allowed and shows the reason.',
      screenshot: 'form',
      async run(page) {
        await page.getByRole('link', { name: 'New webhook' }).first().click()
        await page.getByLabel('Name', { exact: true }).fill('Inbox')
        await page.getByLabel('Endpoint URL').fill(server.url('/sms'))
        await page.getByText(`POST ${server.url('/sms')}`).waitFor()
      },
    },
    {
      title: 'Create the webhook and send a test event',
      text: 'Press **Create and test**. Hookline sends a sample event to this webhook only, through the regular delivery pipeline, and shows the response of your server. In this example, the delivery fails.',
      screenshot: 'test',
      async run(page) {
        await page.getByRole('button', { name: 'Create and test' }).click()
        await page.getByRole('dialog').getByText('Responded 500').first().waitFor()
      },
    },
    {
      title: 'Find the cause',
      text: 'Press **View event**. The page shows what happened, the timing of each phase, the request and the response. Here, the server rejects an unknown field.',
      screenshot: 'event',
      async run(page) {
        await page.getByRole('link', { name: 'View event', exact: true }).click()
        await page.getByRole('heading', { name: 'Timeline' }).waitFor()
        await page.getByText('unknown field: sender').first().waitFor()
      },
    },
    {
      title: 'Fix your server and replay the event',
      text: 'Hookline retries regular events automatically, with growing delays, so no event is lost while your server is down. A test event is sent once. Fix your server, press **Replay…** on the event page, then **Start replay**. Hookline sends the same event again.',
      screenshot: 'delivered',
      async run(page) {
        repair()
        await page.getByRole('button', { name: 'Replay…' }).first().click()
        await page.getByRole('button', { name: 'Start replay' }).click()
        await page.getByText('Done: 1 delivered').waitFor({ timeout: 60_000 })
      },
    },
    {
      title: 'Check the health of your webhook',
      text: '**Webhooks** lists every webhook with its state. Press its name to see its health, response times, and failure reasons with hints. **Signing** has the secret, and the [guide to signatures](../signatures.md) has code that verifies deliveries in six languages.',
      screenshot: 'webhook',
      async run(page) {
        await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
        await page.getByRole('link', { name: 'Inbox' }).click()
        await page.getByRole('heading', { name: 'Failure reasons' }).waitFor()
      },
    },
  ]
}

/** Renders the guide as Markdown. */
export function renderGuide(steps: readonly Step[]): string {
  const parts = steps.map(
    ({ title, text, screenshot }, index) =>
      `## ${index + 1}. ${title}\n\n${text}\n\n![${title}](first-webhook/${screenshot}.png)\n`,
  )
  return `${introduction}\n${parts.join('\n')}\n${nextSteps}`
}

const introduction = `# Your first webhook

This guide leads from an empty account to a delivered event, and shows how to find out why a delivery failed.
`

const nextSteps = `## Next steps

- [Webhooks](../webhooks.md): filters and their backtest, secrets, and the events of disabled webhooks.
- [Events and deliveries](../ledger.md): search, and why a webhook did not match an event.
- [Replays](../replay.md): send failed deliveries again.
`
