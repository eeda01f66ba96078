/**
 * The way of somebody who has never been here: a webhook is registered, a test is sent, and why it failed is found out.
 * Walked in a real browser against a real receiver, by nothing but what is on the screen; what is told of each step and
 * its picture make the guide.
 */
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { startAreaWorld } from '../service.ts'
import { type desk, type Visit, visitAs } from './area.ts'
import { launchBrowser } from './browser.ts'

export const guideFile = fileURLToPath(new URL('../../../docs/guide/first-webhook.md', import.meta.url))

export function pictureFile(name: string): string {
  return fileURLToPath(new URL(`../../../docs/guide/first-webhook/${name}.png`, import.meta.url))
}

interface Step {
  title: string
  /** What to do there, and why. */
  words: string
  /** Named after the picture that is taken when it is done. */
  picture: string
  walk: (page: Page) => Promise<void>
}

interface Newcomer extends Visit {
  steps: Step[]
  /** The statuses that the newcomer's server has answered with. */
  received: () => number[]
}

export interface Story {
  newcomer: (viewport: typeof desk) => Promise<Newcomer>
  end: () => Promise<void>
}

/** Each newcomer has an account of their own, and a server with a fault. */
export async function startStory(): Promise<Story> {
  const browser = await launchBrowser()
  const world = await startAreaWorld({ ALLOW_PRIVATE_TARGETS: 'true' }, 'all')
  const servers: Receiver[] = []
  return {
    async newcomer(viewport) {
      let isRepaired = false
      const answers: number[] = []
      const server = await startReceiver((_request, response) => {
        response.writeHead(isRepaired ? 200 : 500, { 'content-type': 'application/json' })
        response.end(isRepaired ? '{"ok":true}' : '{"error":"unknown field: sender"}')
        answers.push(response.statusCode)
      })
      servers.push(server)
      const steps = stepsOf(server, () => (isRepaired = true))
      const seen = await visitAs(browser, world, await world.account(), viewport)
      return { ...seen, steps, received: () => answers }
    },
    async end() {
      await browser.close()
      await world.close()
      for (const server of servers) await server.close()
    },
  }
}

function stepsOf(server: Receiver, repair: () => void): Step[] {
  return [
    {
      title: 'Start where you land',
      words:
        'Sign in. As long as there is nothing to show, the overview shows the way to the first webhook. Press **New webhook**.',
      picture: 'overview',
      async walk(page) {
        await page.goto('/')
        await page.getByRole('heading', { name: 'Your first webhook' }).waitFor()
      },
    },
    {
      title: 'Complete the sentence',
      words:
        'Type the address of your server. While you type, the right side shows the request that it will get, byte by byte, for each of the three methods, and the line for a terminal that does the same as the form. An address that is not allowed is refused here, with the reason, and not later.',
      picture: 'form',
      async walk(page) {
        await page.getByRole('link', { name: 'New webhook' }).first().click()
        await page.getByLabel('Address').fill(server.url('/sms'))
        await page.getByText(`POST ${server.url('/sms')}`).waitFor()
      },
    },
    {
      title: 'Create it and send a test',
      words:
        'Press **Create and send a test**. A sample event goes to this webhook alone, the way that every event goes, and the answer of your server is shown as soon as it is there. Here it did not go well.',
      picture: 'test',
      async walk(page) {
        await page.getByRole('button', { name: 'Create and send a test' }).click()
        await page.getByRole('dialog').getByText('Your server answered 500').first().waitFor()
      },
    },
    {
      title: 'Find out why',
      words:
        'Press **Open the event**. The page says in words what happened and what comes next, how long each part of the call took, what was sent, and what your server said to it: here it stumbled over a field that it does not know.',
      picture: 'event',
      async walk(page) {
        await page.getByRole('link', { name: 'Open the event' }).click()
        await page.getByRole('heading', { name: 'Timeline' }).waitFor()
        await page.getByText('unknown field: sender').first().waitFor()
      },
    },
    {
      title: 'Repair your server and send it again',
      words:
        'Real events are tried again by themselves, at growing distances, so nothing is lost while your server is broken; a test is sent once. Repair your server, press **Replay…** on the page of the event, then **Send again**: the very same event goes out anew.',
      picture: 'delivered',
      async walk(page) {
        repair()
        await page.getByRole('button', { name: 'Replay…' }).first().click()
        await page.getByRole('button', { name: 'Send again' }).click()
        await page.getByText('Done: 1 delivered').waitFor({ timeout: 60_000 })
      },
    },
    {
      title: 'Know how your webhook is',
      words:
        'Under **Webhooks** each has a line that says how it is. Press its address: its page says whether it works, how quickly your server answers, why attempts failed and what to do about it, and how to check that a call really came from here.',
      picture: 'webhook',
      async walk(page) {
        await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
        await page.getByRole('link', { name: /sms$/ }).click()
        await page.getByRole('heading', { name: 'Why attempts failed' }).waitFor()
      },
    },
  ]
}

/** The guide as it is kept. */
export function guideOf(steps: readonly Step[]): string {
  const parts = steps.map(
    ({ title, words, picture }, place) =>
      `## ${place + 1}. ${title}\n\n${words}\n\n![${title}](first-webhook/${picture}.png)\n`,
  )
  return `${introduction}\n${parts.join('\n')}\n${afterwards}`
}

const introduction = `# Your first webhook

From an empty account to an event that your server has got, and what to do if it did not. All of it is on the screen: this page
only shows it. It was made by a script that walks this way in a browser; a test walks it again with every change.
`

const afterwards = `## From here

- [Webhooks](../webhooks.md): filters that are tried before they are saved, secrets, what happens to events of a webhook that is disabled.
- [What became of an event](../ledger.md): searching, and why a webhook did not want an event.
- [Sending again](../replay.md) what failed while your server was away.
`
