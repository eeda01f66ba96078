import type { Command } from 'commander'
import { connected } from '../action.ts'
import { CliError, exitCodes } from '../errors.ts'
import { openInBrowser } from '../open-in-browser.ts'

const pages: Readonly<Record<string, string>> = {
  overview: '/',
  webhooks: '/webhooks',
  events: '/events',
  replays: '/replays',
  keys: '/keys',
  guides: '/guides',
  docs: '/docs',
}

export function addOpen(program: Command): void {
  program
    .command('open [page]')
    .description(
      `open a page of the dashboard: ${Object.keys(pages).join(', ')}, the id of a webhook or of an event`,
    )
    .action(
      connected(async ({ url }, _, page = 'overview') => {
        const path = pages[page] ?? pathOf(page)
        if (path === undefined)
          throw new CliError(`There is no page "${page}".`, {
            exitCode: exitCodes.usage,
            hint: `Choose from ${Object.keys(pages).join(', ')}, or name the id of a webhook or an event.`,
          })
        const address = new URL(path, url).href
        if (!(await openInBrowser(address))) console.log(address)
      }),
    )
}

function pathOf(id: string): string | undefined {
  if (/^[1-9]\d{0,9}$/.test(id)) return `/webhooks/${id}`
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id) ? `/events/${id}` : undefined
}
