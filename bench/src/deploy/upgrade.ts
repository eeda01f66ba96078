/**
 * `npm run prove -- upgrade`: upgrades from the previous version to this one and rolls back, while events are accepted
 * and delivered. Both versions run side by side before and after the migration is used. Every accepted event must be
 * delivered once, and each version must list the webhooks that the other created.
 */
import { randomBytes } from 'node:crypto'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { baseEnv } from '../../../dev/base-env.ts'
import { startReceiver } from '../../../dev/receiver.ts'
import { type ServiceProcess, startProcess } from '../../../dev/service-process.ts'
import { startServices } from '../../../dev/services.ts'
import { type Cleanup, createCleanup } from '../support/cleanup.ts'
import { createProducer } from '../faults/producer.ts'
import { createEmptyDatabase } from '../support/database.ts'
import { checkOutPreviousVersion } from './previous-version.ts'
import { createWebhook, type Customer, deliverFirstEvent, rejectFailure } from './try-out.ts'

const run = promisify(execFile)
const eventsPerSecond = 50
/** Time under load after each step. */
const phaseMs = 3_000
/** More than the load takes. */
const maxEvents = 10_000
/** A migration can delay or cancel statements of other sessions. The producer then repeats its call, with the same key. */
const acceptTimeoutMs = 15_000
/** Time in which a second delivery of an event would arrive. */
const repeatMs = 2_000

export async function proveUpgrade(): Promise<void> {
  const cleanup = createCleanup()
  try {
    const folder = await mkdtemp(join(tmpdir(), 'hookline-upgrade-'))
    cleanup.push(() => rm(folder, { recursive: true }))
    await checkOutPreviousVersion(join(folder, 'previous'))
    const { DATABASE_URL } = await startServices(console.log)
    const { url, drop } = await createEmptyDatabase(DATABASE_URL, 'hookline_prove_upgrade')
    cleanup.push(drop)
    const env = {
      DATABASE_URL: url.href,
      MASTER_KEY: randomBytes(32).toString('base64'),
      ALLOW_PRIVATE_TARGETS: 'true',
    }
    const previous = createVersion('the previous version', join(folder, 'previous'), env, cleanup)
    const current = createVersion(
      'this version',
      fileURLToPath(new URL('../../..', import.meta.url)),
      env,
      cleanup,
    )

    const receiver = await startReceiver()
    cleanup.push(() => receiver.close())
    await previous.migrate()
    await previous.start()
    const customer = await deliverFirstEvent({ admin: previous.admin, ...previous.urls() }, receiver)
    let intake = previous
    const producer = createProducer({
      url: () => intake.urls().internalUrl,
      key: customer.producerKey,
      accounts: [customer.accountId],
      eventsPerSecond,
      maxEvents,
    })
    cleanup.push(() => producer.abort())
    const loadDuring = async (phase: string): Promise<void> => {
      await sleep(phaseMs)
      const { acknowledged, resubmitted } = producer
      console.log(
        `${acknowledged.length} events accepted ${phase}, ${resubmitted.size} repeated by the producer`,
      )
    }

    producer.start()
    await loadDuring('before the upgrade')
    await current.migrate()
    await loadDuring('after the migration')
    await current.start()
    intake = current
    await loadDuring('with both versions')
    await checkWebhooks(customer, previous.urls().url, current.urls().url)
    await previous.stop()
    await loadDuring('after the upgrade')
    await previous.start()
    intake = previous
    await loadDuring('with both versions, rolling back')
    await current.stop()
    await loadDuring('after the rollback')

    await producer.finish(acceptTimeoutMs)
    const accepted = producer.acknowledged.map(({ id }) => id)
    const timesReceived = (): number[] => {
      const received = Map.groupBy(receiver.at('/first'), ({ headers }) => headers['webhook-id'])
      return accepted.map((id) => received.get(id)?.length ?? 0)
    }
    await receiver.until(() => timesReceived().every((times) => times > 0), 60_000)
    await sleep(repeatMs)
    const repeated = timesReceived().filter((times) => times > 1).length
    console.log(`${accepted.length} events accepted and delivered, ${repeated} repeated`)
    if (repeated > 0) throw new Error('events were repeated, although no process was killed')
    console.log('\nupgrade: passed')
  } finally {
    await cleanup.run()
  }
}

interface Version {
  migrate: () => Promise<void>
  /** Starts an api and a worker. */
  start: () => Promise<void>
  urls: () => { url: string; internalUrl: string }
  stop: () => Promise<void>
  admin: (args: readonly string[]) => Promise<string>
}

function createVersion(name: string, folder: string, env: Record<string, string>, cleanup: Cleanup): Version {
  let processes: ServiceProcess[] = []
  const file = (entry: string): string => join(folder, `server/src/${entry}.ts`)
  const command = async (entry: string, args: readonly string[]): Promise<string> =>
    (await run(process.execPath, [file(entry), ...args], { env: { ...baseEnv, ...env } })).stdout
  const stop = async (): Promise<void> => {
    for (const process of processes) {
      const code = await process.stop()
      if (code !== 0) throw new Error(`a process of ${name} exited with code ${code}:\n${process.output()}`)
    }
    processes = []
  }
  cleanup.push(stop)
  return {
    async migrate() {
      await command('migrate', [])
      console.log(`migrated by ${name}`)
    },
    async start() {
      for (const role of ['api', 'worker'])
        processes.push(await startProcess(env, role, undefined, file('main')))
      console.log(`started ${name}`)
    },
    urls() {
      const [api] = processes
      if (api === undefined) throw new Error(`${name} is not running`)
      return api
    },
    async stop() {
      await stop()
      console.log(`stopped ${name}`)
    },
    admin: (args) => command('admin', args),
  }
}

async function checkWebhooks(customer: Customer, ...urls: string[]): Promise<void> {
  for (const [index, url] of urls.entries())
    await createWebhook(url, customer, `https://example.com/${index}`)
  for (const url of urls) {
    const response = await fetch(`${url}/api/hooks`, { headers: { 'x-api-key': customer.key } })
    await rejectFailure(response)
    const { hooks } = JSON.parse(await response.text())
    if (hooks.length !== urls.length + 1) throw new Error(`${url} lists ${hooks.length} webhooks`)
  }
  console.log('each version lists the webhooks of the other')
}
