/** Compiles the sample events against the types that receivers with `@seven.io/client` use. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { deliverableTypes, type DeliverableType } from '../../src/model/event.ts'
import { samples } from '../../src/model/sample-events.ts'

const clientTypes: Record<DeliverableType, string> = {
  sms_mo: "InboundSmsPayload['data']",
  dlr: "SmsStatusChangePayload['data'] & { foreign_id: string | null }",
  voice_call: "InboundCallPayload['data']",
  voice_status: "VoiceStatusChangePayload['data']",
  voice_dtmf: "DtmfPayload['data']",
  tracking: "PerformanceTrackingPayload['data']",
  rcs: 'HookRcsPayload',
  // The client has no type for it.
  wa_mo: '{ id: string; sender: string; system: string; time: string; text: string }',
}

const rows = deliverableTypes.flatMap((type) => samples[type].map((sample) => ({ type, sample })))

test('every sample has the types of the client', async () => {
  const lines = rows.map(({ type, sample }) => declare(type, sample))
  expect(await compile(lines)).toEqual([])
})

test('a field with another type does not compile', async () => {
  const wrong = rows.map(({ type, sample }) => {
    const [name, value] = Object.entries(sample)[0] ?? []
    return declare(type, { ...sample, [name ?? '']: typeof value === 'number' ? String(value) : 1 })
  })
  const errors = await compile(wrong)
  expect(errors.map((line) => Number(/\((\d+),/.exec(line)?.[1]))).toEqual(wrong.map((_, index) => index + 2))
})

let declared = 0

function declare(type: DeliverableType, sample: object): string {
  declared += 1
  return `export const sample${declared}: ${clientTypes[type].replaceAll(/\b[A-Z]\w+/g, 'client.$&')} = ${JSON.stringify(sample)}`
}

/** Returns the errors of the compiler. */
async function compile(lines: string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-samples-'))
  try {
    const client = resolve('node_modules/@seven.io/client')
    await writeFile(
      join(folder, 'samples.ts'),
      [`import type * as client from '${client}'`, ...lines].join('\n'),
    )
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    return await new Promise((done) => {
      execFile(resolve('node_modules/.bin/tsc'), ['--project', folder], (_error, output) => {
        done(output.split('\n').filter((line) => line.includes('error TS')))
      })
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: 'nodenext',
    target: 'es2024',
  },
  files: ['samples.ts'],
}
