/**
 * `npm run prove -- restore`: restores a backup to a point in time, under load, and compares what the producer was told,
 * what the receivers got and what the database has. docs/backup.md is the procedure for operators,
 * docs/decisions/25-backup.md describes the proof.
 */
import { setMaxListeners } from 'node:events'
import { parseArgs } from 'node:util'
import { createCleanup } from '../support/cleanup.ts'
import { type DrillReport, runDrill } from './drill.ts'
import { type Measurement, measureRestore } from './measure.ts'

export async function proveRestore(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string' },
      nats: { type: 'boolean', default: false },
      gigabytes: { type: 'string' },
      ci: { type: 'boolean', default: false },
    },
  })
  // Each started process adds an exit listener that kills it.
  setMaxListeners(0, process)
  const cleanup = createCleanup()
  try {
    if (values.gigabytes !== undefined)
      return printMeasurement(await measureRestore(Number(values.gigabytes), cleanup))
    const seconds = Number(values.seconds ?? (values.ci ? 3 : 8))
    const report = await runDrill({ seconds, withNats: values.nats || values.ci }, cleanup)
    print(report)
    if (report.violations.length > 0) process.exitCode = 1
  } finally {
    await cleanup.run()
  }
}

function print({ counts, measured, changes, violations }: DrillReport): void {
  printTable('T is the time that the database is restored to', [
    ['events accepted before T', counts.acceptedBeforeTarget, 'all restored'],
    ['deliveries finished before T', counts.settledDeliveries, 'not repeated'],
    ['deliveries sent after T, accepted before', counts.resentDeliveries, 'repeated, same webhook-id'],
    ['deliveries pending at the crash', counts.firstSentDeliveries, 'sent'],
    ['events accepted after T', counts.acceptedAfterTarget, 'lost, repeated by the producer'],
    ['… repeated with an unknown key', counts.repeatedLost, 'accepted, new id'],
    ['… repeated with a known key', counts.repeatedKnown, 'same id, no new delivery'],
    ['deliveries that arrived under two ids', counts.newIdDeliveries, ''],
  ])
  printTable(
    'Undone by the restore',
    changes.map(({ action, effect }) => [action, '', effect]),
  )
  printTable('Measured', [
    ['database', '', megabytes(measured.databaseBytes)],
    ['full backup under load', '', `${duration(measured.backupMs)}, ${megabytes(measured.backupBytes)}`],
    ['restore of the files', '', duration(measured.restoreMs)],
    ['recovery to T', '', duration(measured.recoveryMs)],
    ['start of api and workers to ready', '', duration(measured.startMs)],
    ['queue empty after the last event', '', duration(measured.drainMs)],
    ['newest archived event before the crash', '', duration(measured.recoveryPointMs)],
  ])
  for (const violation of violations) console.log(`✗ ${violation}`)
  console.log(violations.length === 0 ? '\nrestore: passed' : '\nrestore: FAILED')
}

function printMeasurement(measured: Measurement): void {
  const replayed = measured.walBytes / (measured.recoveryMs / 1_000)
  printTable('Measured', [
    ['database', '', megabytes(measured.databaseBytes)],
    ['full backup', '', `${duration(measured.backupMs)}, ${megabytes(measured.backupBytes)}`],
    ['WAL since the backup', '', megabytes(measured.walBytes)],
    ['restore of the files', '', duration(measured.restoreMs)],
    ['recovery', '', `${duration(measured.recoveryMs)}, ${megabytes(replayed)} of WAL per second`],
    ['start of Hookline to ready', '', duration(measured.startMs)],
    ['incremental backup', '', `${duration(measured.incrementMs)}, ${megabytes(measured.incrementBytes)}`],
  ])
}

function printTable(
  title: string,
  rows: ReadonlyArray<[name: string, count: number | '', note: string]>,
): void {
  console.log(`\n${title}`)
  for (const [name, count, note] of rows)
    console.log(`  ${name.padEnd(42)} ${String(count).padStart(7)}  ${note}`)
}

function duration(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}
