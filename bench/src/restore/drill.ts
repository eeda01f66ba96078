/** One restore under load, from the backup to the comparison of all records. Follows docs/backup.md. */
import type { Cleanup } from '../support/cleanup.ts'
import { type ArchiveCopy, inspectArchiveCopy } from './archive-copy.ts'
import { restoreCluster } from './clusters.ts'
import { withClient } from '../support/with-client.ts'
import { type Context, createContext, logStep } from './context.ts'
import { backUpAndCrash, type Crash } from './crash.ts'
import { findIgnoredDamage } from './damage.ts'
import { asOperator } from './operator.ts'
import { readFinal, readRestored } from './read-database.ts'
import { findAcceptedMasterKey, resume } from './resume.ts'
import { verify, type Verdict } from './verify.ts'

export interface DrillReport extends Verdict {
  measured: Measured
  changes: Crash['changes']
}

interface Measured {
  databaseBytes: number
  backupBytes: number
  backupMs: number
  restoreMs: number
  recoveryMs: number
  startMs: number
  drainMs: number
  /** Age of the newest event in the archive at the crash. */
  recoveryPointMs: number
}

export interface DrillOptions {
  /** Duration of each phase of the load. */
  seconds: number
  withNats: boolean
}

export async function runDrill({ seconds, withNats }: DrillOptions, cleanup: Cleanup): Promise<DrillReport> {
  const context = await createContext(withNats, cleanup)
  const { environment, url } = context
  const crash = await backUpAndCrash(context, seconds)
  const { target, killedAt, told, changes, backup } = crash

  logStep('restore to T')
  const { restoreMs, recoveryMs } = await restoreCluster({
    ...context,
    name: 'restored',
    target,
    isCopy: false,
  })
  const restored = await withClient(url, readRestored)
  const violations = [
    ...(await findAcceptedMasterKey(environment.settings)),
    ...(await findKeptChanges(environment.settings, changes)),
  ]
  // The deliveries that were in flight at the target wait for the end of their leases.
  const [resumed, archive] = await Promise.all([
    resume(context, crash, seconds),
    inspectArchive(context, crash),
  ])
  const final = await withClient(url, readFinal)
  const verdict = verify({
    target: target.getTime(),
    told,
    restored,
    final,
    ...resumed,
    received: environment.receivers.received,
    hooksByAccount: environment.hooksByAccount,
  })
  return {
    counts: verdict.counts,
    violations: [...verdict.violations, ...violations, ...archive.violations],
    changes,
    measured: {
      databaseBytes: backup.database,
      backupBytes: backup.repository,
      backupMs: backup.ms,
      restoreMs,
      recoveryMs,
      startMs: resumed.startMs,
      drainMs: resumed.drainMs,
      recoveryPointMs: killedAt - archive.newestEventAt.getTime(),
    },
  }
}

async function inspectArchive(context: Context, crash: Crash): Promise<ArchiveCopy> {
  logStep('restore of the whole archive, for reading')
  const copy = await inspectArchiveCopy(context, crash)
  logStep('backup of the restored cluster')
  // The restored cluster is protected only after its own backup.
  await context.repository.backup('incr')
  return { ...copy, violations: [...copy.violations, ...(await findIgnoredDamage(context, crash))] }
}

/** The restore must undo every change after the target. Otherwise the list for operators would be wrong. */
async function findKeptChanges(
  settings: Record<string, string>,
  changes: Crash['changes'],
): Promise<string[]> {
  return asOperator(settings, async ({ db }) => {
    const kept: string[] = []
    for (const { action, subject, isUndone } of changes)
      if (!(await isUndone(db))) kept.push(`not undone: ${action} of ${subject}`)
    return kept
  })
}
