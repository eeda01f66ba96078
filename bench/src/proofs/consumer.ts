/**
 * `npm run prove -- consumer`: transactions of different length commit events, while readers of one consumer lose
 * connections, responses and their lease, and the api processes and PostgreSQL are killed. Every event must be read at
 * least once, and for the first time in commit order. Only uncommitted polls may be repeated.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createEnvironment, type Environment, type LinkedProcess } from '../faults/environment.ts'
import { createCleanup } from '../support/cleanup.ts'
import { createAccount, totalOf, writeOutOfOrder } from '../support/out-of-order-writer.ts'

interface Options {
  events: number
  cuts: number
  kills: number
  databaseKills: number
}

export async function proveConsumer(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '100000' },
      cuts: { type: 'string', default: '100' },
      kills: { type: 'string', default: '5' },
      'database-kills': { type: 'string', default: '2' },
    },
  })
  const options = {
    events: totalOf(Number(values.events)),
    cuts: Number(values.cuts),
    kills: Number(values.kills),
    databaseKills: Number(values['database-kills']),
  }
  const cleanup = createCleanup()
  try {
    const environment = await createEnvironment(cleanup.push, 1, { CALLS_PER_MINUTE: '1000000' })
    const hasPassed = await execute(environment, options)
    console.log(`\nconsumer: ${hasPassed ? 'passed' : 'FAILED'}`)
    if (!hasPassed) process.exitCode = 1
  } finally {
    await cleanup.run()
  }
}

const leaseSeconds = 10
/** How often a cut is of each kind. A silent reader costs the others the rest of its lease. */
const cutKinds = [
  'connection',
  'connection',
  'connection',
  'response',
  'response',
  'response',
  'response',
  'release',
  'release',
  'silent',
] as const
const timeoutMs = 300_000

interface Poll {
  events: Array<{ id: string }>
  cursor: string
  lease: string
}

async function execute(environment: Environment, options: Options): Promise<boolean> {
  const databaseUrl = new URL(environment.postgres.url())
  const { accountId, key } = await createAccount(databaseUrl, environment.settings.MASTER_KEY ?? '')
  let api = await environment.startApi()
  const call = async (path: string, body: object, signal?: AbortSignal): Promise<Response> =>
    fetch(`${api.url}/api/consumers${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
  const created = (await (await call('', { name: 'proof' })).json()) as { consumer: { id: number } }
  const path = `/${created.consumer.id}`
  let isWritten = false
  const writing = writeOutOfOrder(databaseUrl, accountId, options.events).then(() => (isWritten = true))

  const seen = new Set<string>()
  /** `unconfirmed`: events of polls that were handled, but whose commit was not confirmed. */
  const counts = { repeated: 0, unconfirmed: 0, cuts: 0, kills: 0, databaseKills: 0 }
  let lease: string | undefined
  const endsAt = performance.now() + timeoutMs
  const nextAt = (done: number, total: number) => ((done + 1) * options.events) / (total + 1)

  while (performance.now() < endsAt) {
    if (counts.kills < options.kills && seen.size >= nextAt(counts.kills, options.kills)) {
      counts.kills++
      api = await restart(environment, api)
    }
    if (
      counts.databaseKills < options.databaseKills &&
      seen.size >= nextAt(counts.databaseKills, options.databaseKills)
    ) {
      counts.databaseKills++
      await environment.killPostgres()
      await environment.startPostgres()
    }
    const isCut = counts.cuts < options.cuts && seen.size >= nextAt(counts.cuts, options.cuts)
    const kind = isCut ? cutKinds[counts.cuts++ % cutKinds.length] : undefined
    try {
      const signal = kind === 'connection' ? AbortSignal.timeout(Math.ceil(Math.random() * 20)) : undefined
      const response = await call(
        `${path}/poll`,
        { lease, wait: isWritten ? 0 : 2, lease_seconds: leaseSeconds },
        signal,
      )
      if (response.status === 409) {
        // The lease was lost, or another reader still has it.
        lease = undefined
        await sleep(200)
        continue
      }
      if (!response.ok) throw new Error(`status ${response.status}`)
      const polled = (await response.json()) as Poll
      lease = polled.lease
      if (kind === 'response') continue
      for (const { id } of polled.events)
        if (seen.has(id)) counts.repeated++
        else seen.add(id)
      counts.unconfirmed += polled.events.length
      if (kind === 'release') await call(`${path}/release`, { lease })
      if (kind === 'silent' || kind === 'release') {
        lease = undefined
        continue
      }
      if (isWritten && polled.events.length === 0) break
      const { ok } = await call(`${path}/commit`, { lease, cursor: polled.cursor })
      if (ok) counts.unconfirmed -= polled.events.length
    } catch {
      // The connection was cut, or a process was killed: perhaps after it had read a poll or committed.
      await sleep(20)
    }
  }
  await writing
  const client = await environment.connect()
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM events WHERE account_id = $1 ORDER BY xid, id',
    [accountId],
  )
  const read = [...seen]
  const isOrdered = rows.every(({ id }, index) => read[index] === id)
  console.log(
    `${rows.length} events written, ${read.length} read, ${isOrdered ? '' : 'NOT '}in commit order\n` +
      `${counts.cuts} cuts, ${counts.kills} kills of the api, ${counts.databaseKills} kills of PostgreSQL\n` +
      `${counts.repeated} repeated, ${counts.unconfirmed} of polls without a confirmed commit`,
  )
  return (
    isOrdered &&
    counts.repeated <= counts.unconfirmed &&
    read.length === rows.length &&
    rows.length >= options.events &&
    counts.cuts === options.cuts &&
    counts.kills === options.kills &&
    counts.databaseKills === options.databaseKills
  )
}

async function restart(environment: Environment, api: LinkedProcess): Promise<LinkedProcess> {
  const ended = new Promise((resolve) => api.child.once('exit', resolve))
  api.child.kill('SIGKILL')
  await ended
  return environment.startApi()
}
