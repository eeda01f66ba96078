import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { names, poolerNames, defaultNames, tracingNames } from './systems.ts'

export interface Options {
  messages: number
  runs: number
  seconds: number
  rates: readonly number[]
  only: readonly string[]
  isProfiled: boolean
  out: string
}

const docs = fileURLToPath(new URL('../../../docs/performance', import.meta.url))

/** Checks in about a minute that everything runs. The results are not meaningful. */
const smoke = {
  // Enough that the warm-up submits an event of each account, so hooks are cached and events are handed off.
  messages: '2000',
  runs: '1',
  seconds: '2',
  rates: '200',
  only: 'bare,postgres-0,postgres-1,nats-1',
}
const full = {
  messages: '10000',
  runs: '5',
  seconds: '20',
  rates: Array.from({ length: 12 }, (_, step) => 1_000 * (step + 1)).join(','),
  only: defaultNames.join(','),
}
/** Measures the cost of a connection pooler. */
const pooler = { ...full, seconds: '0', only: poolerNames.join(',') }
/** Measures the cost of traces. */
const tracing = { ...full, seconds: '0', only: tracingNames.join(',') }

export async function readOptions(args: string[]): Promise<Options> {
  const { values } = parseArgs({
    args,
    options: {
      messages: { type: 'string' },
      runs: { type: 'string' },
      seconds: { type: 'string' },
      rates: { type: 'string' },
      only: { type: 'string' },
      out: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      pooler: { type: 'boolean', default: false },
      tracing: { type: 'boolean', default: false },
    },
  })
  const isTrial = values.smoke || values.profile || values.pooler || values.tracing
  const preset = values.smoke ? smoke : values.pooler ? pooler : values.tracing ? tracing : full
  const input = { ...preset, ...values }
  const only = input.only.split(',')
  const unknown = only.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw new Error(`--only: unknown system ${unknown.join(', ')}. Choose from ${names.join(', ')}.`)
  return {
    messages: readInteger('messages', input.messages),
    runs: readInteger('runs', input.runs),
    // A profile covers throughput only, unless --rates is set.
    seconds: values.profile && values.rates === undefined ? 0 : readInteger('seconds', input.seconds),
    rates: input.rates.split(',').map((rate) => readInteger('rates', rate)),
    only,
    isProfiled: values.profile,
    // Results of trial runs must not overwrite the results in the documentation.
    out: values.out ?? (isTrial ? await temporaryFolder() : docs),
  }
}

function readInteger(option: string, text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new Error(`--${option} must be an integer, not "${text}".`)
  return Number(text)
}

function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'hookline-delivery-results-'))
}
