import { hostname } from 'node:os'
import type { Client } from '@hookline/client'
import type { Command } from 'commander'
import { connected } from '../action.ts'
import { readFormat } from '../format.ts'
import { readSince } from '../since.ts'
import type { Consumer } from '../listen/describe.ts'
import { listen } from '../listen/listener.ts'
import { createPlainOutput } from '../listen/plain-output.ts'
import { answers, readTarget } from '../listen/target.ts'
import { createView } from '../listen/view.ts'
import { CliError, exitCodes } from '../errors.ts'
import { repeatableList } from '../repeatable.ts'
import { toShell } from '../shell-words.ts'

interface ListenOptions {
  webhook?: string
  since?: string
  type?: string[]
  filter?: string
  as?: string
  name?: string
  allowExternal?: boolean
  plain?: boolean
  showSecret?: boolean
}

export function addListen(program: Command): void {
  program
    .command('listen <target>')
    .description('forward events to a server on this machine, such as 3000 or localhost:3000/webhooks')
    .option('--webhook <id>', 'the events of this webhook, with its format, headers and secrets')
    .option('--type <type>', 'only events of this type; repeatable', repeatableList)
    .option('--filter <expression>', 'only events that match, such as \'cel:data.text == "Hello"\'')
    .option('--as <format>', 'json, post or get (default: that of the webhook, or json)')
    .option('--since <time>', 'start with earlier events: 2h, 3d, a time, or now to skip what was missed')
    .option('--name <name>', 'name of the consumer, to run a second listener on this machine')
    .option('--allow-external', 'forward to a host that is not this machine')
    .option('--plain', 'print lines, also in a terminal')
    .option('--show-secret', 'print the signing secret, also if the output is not a terminal')
    .addHelpText(
      'after',
      '\nEvents are read at least once, in order. After a break, the listener continues where it stopped.\n\nExamples:\n  hookline listen 3000/webhooks\n  hookline listen 3000 --webhook 12 --since 2h\n  hookline listen 3000 --json | jq .status',
    )
    .action(connected(runListen))
}

async function runListen(
  { client, url }: { client: Client; url: string },
  options: ListenOptions & { json?: boolean },
  text = '',
): Promise<void> {
  const target = readTarget(text, options)
  const requestMethod = options.as === undefined ? undefined : readFormat(options.as)
  const since = options.since === undefined ? undefined : readSince(options.since)
  const consumer = await prepareConsumer(client, options, since)
  // Logs of CI are read by many.
  const showsSecret = options.showSecret === true || process.stderr.isTTY
  const secret = await readSigningSecret(client, consumer, showsSecret)
  const stopping = new AbortController()
  const isInteractive = process.stdout.isTTY && process.stdin.isTTY && !options.json && !options.plain
  const intro = {
    url,
    target,
    consumer,
    secret,
    isUp: await answers(target),
    isContinued: since === undefined,
    commands: { listen: listenCommand(text, options), trigger: triggerCommand(options) },
  }
  const output = isInteractive
    ? createView(intro, () => stop())
    : createPlainOutput(intro, options.json === true)
  const stop = (): void => {
    // The second time: does not wait for the commit.
    if (stopping.signal.aborted) process.exit(130)
    stopping.abort()
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  try {
    await listen(
      {
        client,
        consumer,
        target,
        requestMethod,
        since: since === undefined || Number.isNaN(Date.parse(since)) ? undefined : new Date(since),
        signal: stopping.signal,
      },
      output,
    )
  } finally {
    output.close()
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`--${name}`, value]
}

/** The same command, from where it stopped. */
function listenCommand(target: string, options: ListenOptions & { profile?: string }): string {
  return toShell([
    'hookline',
    'listen',
    target,
    ...flag('webhook', options.webhook),
    ...(options.type ?? []).flatMap((type) => ['--type', type]),
    ...flag('filter', options.filter),
    ...flag('as', options.as),
    ...flag('name', options.name),
    ...(options.allowExternal ? ['--allow-external'] : []),
    ...flag('profile', options.profile),
  ])
}

function triggerCommand({ webhook, name, profile }: ListenOptions & { profile?: string }): string {
  // A name identifies the listener, also that of a webhook.
  const isOfWebhook = name === undefined && webhook !== undefined
  const listener = isOfWebhook ? [...flag('webhook', webhook), '--listener'] : flag('name', name)
  return toShell(['hookline', 'trigger', 'sms_mo', ...listener, ...flag('profile', profile)])
}

/** The name of this machine's consumer. A listener of one webhook has another. */
export function consumerName({ name, webhook }: Pick<ListenOptions, 'name' | 'webhook'>): string {
  return (
    name ??
    `hookline listen on ${hostname()}${webhook === undefined ? '' : `, webhook ${webhook}`}`.slice(0, 200)
  )
}

/** Finds or creates the consumer, with the current settings. */
async function prepareConsumer(
  client: Client,
  options: ListenOptions,
  since: string | undefined,
): Promise<Consumer> {
  const name = consumerName(options)
  const settings = {
    hook_id: options.webhook === undefined ? null : readId(options.webhook),
    ...(options.type === undefined || options.type.length === 1
      ? { event_type: options.type?.[0] ?? 'all' }
      : { event_types: options.type }),
    event_filter: options.filter ?? null,
  }
  const { consumers } = await client.get('/api/consumers')
  const existing = consumers.find((consumer) => consumer.name === name)
  if (existing === undefined) {
    const { consumer } = await client.post('/api/consumers', {
      body: { name, ...settings, from: since ?? 'newest' },
    })
    return consumer
  }
  const path = { id: existing.id }
  const consumer = isSame(existing, settings)
    ? existing
    : (await client.post('/api/consumers/{id}', { path, body: settings })).consumer
  if (since === undefined) return consumer
  const moved = await client.post('/api/consumers/{id}/seek', { path, body: { to: since } })
  return moved.consumer
}

interface Settings {
  hook_id: number | null
  event_type?: string
  event_types?: string[]
  event_filter: string | null
}

function isSame(existing: Consumer, settings: Settings): boolean {
  const { chosen } = existing
  const types = chosen?.event_types ?? [existing.event_type]
  const filter = chosen === null ? existing.event_filter : chosen.event_filter
  return (
    existing.hook_id === settings.hook_id &&
    filter === settings.event_filter &&
    types.join() === (settings.event_types ?? [settings.event_type]).join()
  )
}

function readId(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new CliError(`"${text}" is not the id of a webhook.`, {
    exitCode: exitCodes.usage,
    hint: 'List them: hookline webhooks list',
  })
}

/** The secret that a receiver needs, unless it is that of a webhook, which the receiver has. */
async function readSigningSecret(
  client: Client,
  { id, hook_id: hookId }: Consumer,
  isShown: boolean,
): Promise<string | undefined> {
  if (hookId !== null) return undefined
  if (!isShown) return '(hidden, see --show-secret)'
  return (await client.get('/api/consumers/{id}/secret', { path: { id } })).secret
}
