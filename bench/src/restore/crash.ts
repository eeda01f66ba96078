/** Backs up under load, chooses the target time, continues for a while and kills everything. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AcknowledgedEvent } from '../faults/producer.ts'
import { inTransitMs, waitFor } from '../support/wait-for.ts'
import { prepareChanges, type UndoneChange } from './changes.ts'
import { withClient } from '../support/with-client.ts'
import { type Context, logStep, startHookline, timed } from './context.ts'
import { asOperator } from './operator.ts'
import type { BackupSize } from './pgbackrest.ts'

export interface Crash {
  /** The time to restore to. */
  target: Date
  /** The WAL segment that was written at the target. */
  targetSegment: string
  killedAt: number
  /** Events that the producer was told were accepted. */
  told: AcknowledgedEvent[]
  /** Made between the target and the crash. */
  changes: UndoneChange[]
  /** A stop of one account from before the target: its deliveries are pending at the target and at the crash. */
  stopId: number
  backup: BackupSize & { ms: number }
}

/** The workers are killed first, so that the stream of NATS keeps some events. */
const apiOutlivesWorkersMs = 500

export async function backUpAndCrash(context: Context, seconds: number): Promise<Crash> {
  const { environment, repository, url } = context
  const { settings, hooksByAccount, producer } = environment
  logStep('starting an api and two workers')
  await startHookline(environment)
  producer.start()
  await sleep(seconds * 1_000)
  logStep('full backup under load')
  const ms = await timed(() => repository.backup('full'))
  const backup = { ...(await repository.newestBackup()), ms }
  const [stoppedAccount = 0] = hooksByAccount.keys()
  const [changedAccount = 0, changedHooks = []] = [...hooksByAccount].at(-1) ?? []
  const { stopId, makeChanges } = await asOperator(settings, async (operator) => ({
    stopId: await operator.stop({ scope: 'account', accountId: stoppedAccount }),
    makeChanges: await prepareChanges(operator, changedAccount, changedHooks),
  }))
  await sleep(seconds * 1_000)

  const { target, targetSegment } = await readPosition(url)
  logStep('T; changes and events after it')
  const changes = await asOperator(settings, makeChanges)
  await sleep(seconds * 1_000)
  const { targetSegment: nextSegment } = await readPosition(url)
  await waitFor('the archive to pass the target', () => isArchived(url, nextSegment))
  logStep('kill -9 of the workers, the api and PostgreSQL')
  const killedAt = await killAll(context)
  return { target, targetSegment, killedAt, told: [...producer.acknowledged], changes, stopId, backup }
}

async function readPosition(url: string): Promise<Pick<Crash, 'target' | 'targetSegment'>> {
  const { rows } = await withClient(url, (client) =>
    client.query<Pick<Crash, 'target' | 'targetSegment'>>(
      'SELECT clock_timestamp() AS target, pg_walfile_name(pg_current_wal_lsn()) AS "targetSegment"',
    ),
  )
  const [position] = rows
  if (position === undefined) throw new Error('the position was not returned')
  return position
}

async function isArchived(url: string, segment: string): Promise<boolean> {
  const { rows } = await withClient(url, (client) =>
    client.query('SELECT FROM pg_stat_archiver WHERE last_archived_wal >= $1', [segment]),
  )
  return rows.length > 0
}

/** Returns the time after which no request was sent. */
async function killAll({ environment }: Context): Promise<number> {
  const [api, ...workers] = environment.processes
  for (const { child } of workers) child.kill('SIGKILL')
  await sleep(apiOutlivesWorkersMs)
  api?.child.kill('SIGKILL')
  await environment.killPostgres()
  const killedAt = Date.now()
  // The receivers may still log requests that were in transit.
  await sleep(inTransitMs)
  return killedAt
}
