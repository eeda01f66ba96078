import type { Client, ResponseBody } from '@hookline/client'
import type { Command } from 'commander'
import { connected } from '../action.ts'
import { CliError, exitCodes } from '../errors.ts'
import { confirm } from '../confirm.ts'
import { readFormat } from '../format.ts'
import { paint, printable, printJson, printTable } from '../output.ts'
import { repeatable, repeatableList } from '../repeatable.ts'
import { maskUrl } from '../shown-url.ts'
import { exportWebhooks } from '../webhooks-file/export.ts'

type Webhook = ResponseBody<'get', '/api/hooks/{id}'>['hook']

interface EditOptions {
  url?: string
  type?: string[]
  filter?: string
  as?: string
  header?: string[]
  name?: string
  json?: boolean
}

export function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('list, create, edit and test webhooks')
  webhooks
    .command('list', { isDefault: true })
    .description('list webhooks')
    .action(
      connected(async ({ client }, { json }) => {
        const { hooks } = await client.get('/api/hooks/health')
        printTable(
          hooks,
          {
            id: ({ hook }) => hook.id,
            name: ({ hook }) => hook.name,
            type: ({ hook }) => typesOf(hook),
            format: ({ hook }) => hook.request_method,
            state: ({ health }) => health.state,
            url: ({ hook }) => maskUrl(hook.target_url),
          },
          { json, empty: 'No webhooks. Create one: hookline webhooks create https://…' },
        )
      }),
    )
  webhooks.command('show <id>').description('show a webhook and its health').action(connected(show))
  withSettings(webhooks.command('create <url>').description('create a webhook')).action(
    connected<EditOptions>(async ({ client }, options, url = '') => {
      const { target_url: _, ...settings } = settingsOf(options)
      const { hook } = await client.post('/api/hooks/create', {
        body: { event_type: 'all', request_method: 'JSON', ...settings, target_url: url },
      })
      const types = typesOf(hook)
      const scope = types === 'all' ? 'all events' : types
      printChanged(`Created webhook ${hook.id} for ${scope}.`, hook, options.json)
    }),
  )
  withSettings(webhooks.command('edit <id>').description('change settings of a webhook'))
    .option('--url <url>', 'endpoint URL')
    .action(
      connected<EditOptions>(async ({ client }, options, id = '') => {
        const body = settingsOf(options)
        if (Object.keys(body).length === 0)
          throw new CliError('Name what to change, such as --url or --type.', {
            exitCode: exitCodes.usage,
            hint: 'hookline webhooks edit --help',
          })
        const { hook } = await client.post('/api/hooks/{id}', { path: { id: readId(id) }, body })
        printChanged(`Changed webhook ${hook.id}.`, hook, options.json)
      }),
    )
  for (const verb of ['enable', 'disable'] as const)
    webhooks
      .command(`${verb} <id>`)
      .description(`${verb} a webhook`)
      .action(
        connected(async ({ client }, { json }, id = '') => {
          await client.post(`/api/hooks/{id}/${verb}`, { path: { id: readId(id) } })
          const { hook } = await client.get('/api/hooks/{id}', { path: { id: readId(id) } })
          printChanged(`Webhook ${hook.id} is ${verb}d.`, hook, json)
        }),
      )
  webhooks
    .command('delete <id>')
    .description('delete a webhook; its pending deliveries are canceled')
    .option('--yes', 'do not ask')
    .action(
      connected<{ yes?: boolean }>(async ({ client }, { yes, json }, id = '') => {
        const { hook } = await client.get('/api/hooks/{id}', { path: { id: readId(id) } })
        if (!yes) await confirm(`Delete webhook ${hook.id} (${hook.name ?? hook.endpoint})?`)
        await client.delete('/api/hooks', { query: { id: hook.id } })
        printChanged(`Deleted webhook ${hook.id}.`, hook, json)
      }),
    )
  webhooks
    .command('export [id]')
    .description('print all webhooks, or one, as a file for: hookline apply')
    .option('--show-headers', 'with the values of headers, which can be secrets')
    .action(
      connected<{ showHeaders?: boolean }>(async ({ client }, { showHeaders }, id) => {
        const hooks =
          id === undefined
            ? (await client.get('/api/hooks/health')).hooks.map(({ hook }) => hook)
            : [(await client.get('/api/hooks/{id}', { path: { id: readId(id) } })).hook]
        process.stdout.write(exportWebhooks(hooks, { showsHeaders: showHeaders === true }))
      }),
    )
  webhooks
    .command('test <id>')
    .description('send a test event to a webhook and wait for the result')
    .option('--type <type>', 'event type, for webhooks of all types')
    .action(connected(test))
}

function withSettings(command: Command): Command {
  return command
    .option('--type <type>', 'event type; repeatable', repeatableList)
    .option('--filter <filter>', 'only matching events; empty for all')
    .option('--as <format>', 'json, post or get')
    .option('--header <header>', 'custom header such as "X-Shop: 7"; repeatable', repeatable)
    .option('--name <name>', 'display name')
}

function settingsOf({ url, type, filter, as, header, name }: EditOptions) {
  const format = as === undefined ? undefined : readFormat(as)
  return {
    ...(url !== undefined && { target_url: url }),
    ...(type !== undefined && (type.length === 1 ? { event_type: type[0] ?? '' } : { event_types: type })),
    ...(filter !== undefined && { event_filter: filter }),
    ...(format !== undefined && { request_method: format }),
    ...(header !== undefined && { headers: header.join('\n') }),
    ...(name !== undefined && { name }),
  } as const
}

function readId(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new CliError(`"${text}" is not the id of a webhook.`, {
    exitCode: exitCodes.usage,
    hint: 'List them: hookline webhooks list',
  })
}

function typesOf({ event_type: type, chosen }: Pick<Webhook, 'event_type' | 'chosen'>): string {
  return chosen === null ? type : chosen.event_types.join(', ')
}

function printChanged(message: string, hook: Webhook, json: boolean | undefined): void {
  if (json) return printJson(hook)
  console.log(`${paint('green', '✓')} ${printable(message)}`)
}

async function show({ client }: { client: Client }, { json }: { json?: boolean }, id = ''): Promise<void> {
  const { hook, health } = await client.get('/api/hooks/{id}', { path: { id: readId(id) } })
  if (json) return printJson({ hook, health })
  console.log(`${paint('bold', printable(hook.name ?? hook.endpoint))} (webhook ${printable(hook.id)})`)
  const facts = {
    URL: hook.target_url,
    Type: typesOf(hook),
    Filter: hook.chosen?.event_filter ?? (hook.chosen === null ? hook.event_filter : null) ?? 'none',
    Format: hook.request_method,
    Health: health.message,
    'Last 24h': `${health.delivered_24h} delivered, ${health.failed_24h} failed, ${health.waiting} pending, ${health.held} on hold`,
  }
  for (const [name, value] of Object.entries(facts))
    console.log(`${paint('dim', name.padEnd(9))} ${printable(value)}`)
}

const testTimeoutMs = 20_000
const checkMs = 300

async function test(
  { client }: { client: Client },
  { type, json }: { type?: string; json?: boolean },
  text = '',
): Promise<void> {
  const id = readId(text)
  const { event_id: eventId } = await client.post('/api/hooks/{id}/test', {
    path: { id },
    body: { ...(type !== undefined && { event_type: type }) },
  })
  const endsAt = Date.now() + testTimeoutMs
  while (Date.now() < endsAt) {
    const { hooks } = await client.get('/api/events/{id}', { path: { id: eventId } })
    const attempt = hooks.flatMap(({ deliveries }) => deliveries).flatMap(({ attempts }) => attempts)[0]
    if (attempt !== undefined) {
      if (json) printJson(attempt)
      else
        console.log(
          `${attempt.reason === 'delivered' ? paint('green', '✓') : paint('red', '✗')} ${printable(attempt.message)}  ${paint('dim', printable(eventId))}`,
        )
      if (attempt.reason !== 'delivered') process.exitCode = exitCodes.checkFailed
      return
    }
    await new Promise((resolve) => setTimeout(resolve, checkMs))
  }
  throw new CliError('The test event was not attempted yet.', {
    exitCode: exitCodes.unreachable,
    hint: `Look later: hookline events show ${eventId}`,
  })
}
