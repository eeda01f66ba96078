import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@hookline/client'
import type { Command } from 'commander'
import { parse } from 'yaml'
import { connected } from '../action.ts'
import { CliError, exitCodes } from '../errors.ts'
import { paint, printable, printJson } from '../output.ts'
import { readBounded } from '../read-bounded.ts'
import { repeatable } from '../repeatable.ts'
import { consumerName } from './listen.ts'

interface TriggerOptions {
  set?: string[]
  scenario?: string
  webhook?: string
  listener?: boolean
  name?: string
}

interface Step {
  type: string
  data?: Record<string, unknown>
  /** Seconds to wait before the event. */
  wait?: number
}

const maxSteps = 100

export function addTrigger(program: Command): void {
  program
    .command('trigger [type]')
    .description('send a test event to your listener, or to one webhook; no other receiver gets it')
    .option(
      '--set <field=value>',
      'replace a field of the sample event; a value can be JSON; repeatable',
      repeatable,
    )
    .option('--scenario <file>', 'send the events of a YAML or JSON file: a list of {type, data, wait}')
    .option('--webhook <id>', 'send to this webhook instead of the listener of this machine')
    .option('--listener', 'with --webhook: send to the listener of that webhook on this machine')
    .option('--name <name>', 'send to the listener with this name')
    .addHelpText(
      'after',
      '\nExamples:\n  hookline trigger sms_mo\n  hookline trigger dlr --set status=DELIVERED --set msg_id=77001\n  hookline trigger --scenario delivery.yaml --webhook 12',
    )
    .action(connected(trigger))
}

async function trigger(
  { client }: { client: Client },
  options: TriggerOptions & { json?: boolean },
  type?: string,
): Promise<void> {
  const steps = await readSteps(type, options)
  const send =
    options.webhook === undefined || options.listener
      ? await toListener(client, options)
      : toWebhook(client, options.webhook)
  for (const [index, step] of steps.entries()) {
    if (step.wait) await sleep(step.wait * 1_000)
    const eventId = await send(step)
    if (options.json) printJson({ event_id: eventId, type: step.type })
    else
      console.log(
        `${paint('green', '✓')} Sent ${printable(step.type)}${steps.length > 1 ? ` (${index + 1} of ${steps.length})` : ''}  ${paint('dim', printable(eventId))}`,
      )
  }
}

type Send = (step: Step) => Promise<string>

async function toListener(client: Client, options: TriggerOptions): Promise<Send> {
  const name = consumerName(options)
  const { consumers } = await client.get('/api/consumers')
  const consumer = consumers.find((candidate) => candidate.name === name)
  if (consumer === undefined)
    throw new CliError(`There is no listener "${name}".`, {
      exitCode: exitCodes.notFound,
      hint: 'Start one: hookline listen 3000. Or name a webhook: --webhook <id>',
    })
  let isTold = consumer.is_leased
  return async ({ type, data }) => {
    const body = { event_type: type, ...(data && { data }) }
    const path = { id: consumer.id }
    const { event_id: eventId } = await client.post('/api/consumers/{id}/test', { path, body })
    if (!isTold)
      console.error(paint('yellow', 'The listener is not running. It gets the event when it starts.'))
    isTold = true
    return eventId
  }
}

function toWebhook(client: Client, webhook: string): Send {
  return async ({ type, data }) => {
    const body = { event_type: type, ...(data && { data }) }
    return (await client.post('/api/hooks/{id}/test', { path: { id: Number(webhook) }, body })).event_id
  }
}

async function readSteps(type: string | undefined, { set, scenario }: TriggerOptions): Promise<Step[]> {
  if (scenario !== undefined) return readScenario(scenario)
  if (type === undefined)
    throw new CliError('Which event? Name a type.', {
      exitCode: exitCodes.usage,
      hint: 'hookline trigger sms_mo',
    })
  return [{ type, ...(set && { data: Object.fromEntries(set.map(readField)) }) }]
}

function readField(text: string): [string, unknown] {
  const equals = text.indexOf('=')
  if (equals < 1)
    throw new CliError(`--set needs field=value, not "${text}".`, {
      exitCode: exitCodes.usage,
      hint: '--set text=Hello',
    })
  const value = text.slice(equals + 1)
  return [text.slice(0, equals), /^[[{]/.test(value) ? readJson(value) : value]
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function readScenario(path: string): Promise<Step[]> {
  const text = await readBounded(path)
  let steps: unknown
  try {
    // Aliases could make a small file huge, and the check of keys takes quadratic time.
    steps = parse(text, { maxAliasCount: 0, uniqueKeys: false })
  } catch (error) {
    throw new CliError(`${path} is not valid YAML: ${(error as Error).message.split('\n')[0]}`, {
      exitCode: exitCodes.usage,
    })
  }
  if (!Array.isArray(steps) || steps.length === 0 || steps.length > maxSteps || !steps.every(isStep))
    throw new CliError(`${path} must be a list of 1 to ${maxSteps} of {type, data, wait}.`, {
      exitCode: exitCodes.usage,
      hint: '- type: dlr\n    data: { status: DELIVERED }\n    wait: 2',
    })
  return steps
}

function isStep(value: unknown): value is Step {
  const { type, data, wait } = (value ?? {}) as Record<string, unknown>
  return (
    typeof type === 'string' &&
    (data === undefined || (typeof data === 'object' && data !== null)) &&
    (wait === undefined || (typeof wait === 'number' && wait >= 0 && wait <= 3_600))
  )
}
