import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { names, poolerNames, usualNames } from './cast.ts'

export interface Options {
  messages: number
  turns: number
  seconds: number
  rates: readonly number[]
  only: readonly string[]
  isProfiled: boolean
  out: string
}

const docs = fileURLToPath(new URL('../../../docs/performance', import.meta.url))

/** Small enough to show in a minute that everything runs; its figures mean nothing. */
const smoke = { messages: '400', turns: '1', seconds: '2', rates: '200', only: 'bare,postgres-1,jetstream-1' }
const full = {
  messages: '10000',
  turns: '5',
  seconds: '20',
  rates: Array.from({ length: 12 }, (_, step) => 1_000 * (step + 1)).join(','),
  only: usualNames.join(','),
}
/** What a pooler costs. */
const pooler = { ...full, seconds: '0', only: poolerNames.join(',') }

export async function readOptions(args: string[]): Promise<Options> {
  const { values } = parseArgs({
    args,
    options: {
      messages: { type: 'string' },
      turns: { type: 'string' },
      seconds: { type: 'string' },
      rates: { type: 'string' },
      only: { type: 'string' },
      out: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      pooler: { type: 'boolean', default: false },
    },
  })
  const given = { ...(values.smoke ? smoke : values.pooler ? pooler : full), ...values }
  const only = given.only.split(',')
  const unknown = only.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw new Error(`--only: there is no ${unknown.join(', ')}, but ${names.join(', ')}.`)
  return {
    messages: whole('messages', given.messages),
    turns: whole('turns', given.turns),
    // A profile is of throughput, unless a rate is asked for.
    seconds: values.profile && values.rates === undefined ? 0 : whole('seconds', given.seconds),
    rates: given.rates.split(',').map((rate) => whole('rates', rate)),
    only,
    isProfiled: values.profile,
    // Figures of trial runs must not replace the ones in the documentation.
    out: values.out ?? (values.smoke || values.profile || values.pooler ? await temporaryFolder() : docs),
  }
}

function whole(option: string, text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new Error(`--${option} must be a whole number, not "${text}".`)
  return Number(text)
}

function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'hookline-delivery-results-'))
}
