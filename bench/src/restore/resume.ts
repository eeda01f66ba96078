/** Starts Hookline on the restored database, as docs/backup.md describes, and lets the producer repeat its events. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProcess } from '../../../dev/service-process.ts'
import type { AcknowledgedEvent } from '../faults/producer.ts'
import { readRemaining } from '../faults/read-observations.ts'
import { waitFor } from '../support/wait-for.ts'
import { withClient } from '../support/with-client.ts'
import { type Context, logStep, startHookline, timed } from './context.ts'
import type { Crash } from './crash.ts'
import { asOperator, runDocumentedStatements } from './operator.ts'

export interface Resumed {
  restartedAt: number
  /** Events that the producer submitted again, with the ids of the second response. */
  repeated: AcknowledgedEvent[]
  startMs: number
  drainMs: number
}

/** The producer repeats events from this long before the target, because clocks are not exact. */
const marginMs = 3_000
const drainTimeoutMs = 60_000

export async function resume({ environment, url }: Context, crash: Crash, seconds: number): Promise<Resumed> {
  const { settings, producer } = environment
  // Nothing is sent before the operator has made the undone changes again.
  const stopId = await asOperator(settings, ({ stop }) => stop({ scope: 'all' }))
  await withClient(url, runDocumentedStatements)
  const restartedAt = Date.now()
  logStep('starting an api and two workers')
  const startMs = await timed(() => startHookline(environment))
  await asOperator(settings, async ({ endStop }) => {
    await endStop(stopId)
    await endStop(crash.stopId)
  })
  logStep('the producer repeats its events')
  producer.repeat(crash.told.filter(({ at }) => at > crash.target.getTime() - marginMs))
  await sleep(seconds * 1_000)
  await producer.finish(drainTimeoutMs)
  logStep('waiting for an empty queue')
  const drainMs = await timed(() => waitFor('an empty queue', () => isDrained(url), drainTimeoutMs))
  const toldKeys = new Set(crash.told.map(({ key }) => key))
  const repeated = producer.acknowledged.slice(crash.told.length).filter(({ key }) => toldKeys.has(key))
  return { restartedAt, repeated, startMs, drainMs }
}

async function isDrained(url: string): Promise<boolean> {
  const { inbox, work } = await withClient(url, readRemaining)
  return inbox + work === 0
}

/** A process with another master key must not start, and must say why. */
export async function findAcceptedMasterKey(settings: Record<string, string>): Promise<string[]> {
  const message = 'MASTER_KEY does not match this database'
  const wrong = { ...settings, MASTER_KEY: randomBytes(32).toString('base64') }
  try {
    await (await startProcess(wrong, 'worker')).stop()
    return ['a worker with another master key started']
  } catch (error) {
    return String(error).includes(message) ? [] : [`another master key: ${String(error)}`]
  }
}
