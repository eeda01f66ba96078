/**
 * `npm run prove -- faults`: breaks what can break, one after the other, under load, and compares what the producer was
 * told with what the database holds and what the receivers got. docs/decisions/13-faults.md says what it proves.
 */
import { setMaxListeners } from 'node:events'
import { parseArgs } from 'node:util'
import { createUndo } from '../undo.ts'
import { type Round, type RoundReport, runRound } from './round.ts'
import { rounds } from './rounds.ts'
import { eventsPerSecond } from './world.ts'

export async function proveFaults(args: string[]): Promise<void> {
  const { chosen, seconds } = readOptions(args)
  const undo = createUndo()
  // Each started process adds a listener that ends it with us.
  setMaxListeners(0, process)
  console.log(
    `${eventsPerSecond} events/s at 2 hooks each, an api and three workers, PostgreSQL of each round's own`,
  )
  console.log(row('round', 'accepted', 'delivered', 'duplicates', 'longest gap', 'verdict'))

  let failed = 0
  for (const round of chosen) {
    const report = await runRound(round, seconds, undo.push)
    if (report.violations.length > 0) failed++
    print(round, report)
  }
  console.log(
    failed === 0 ? `\nAll ${chosen.length} rounds held.` : `\n${failed} of ${chosen.length} rounds failed.`,
  )
  if (failed > 0) process.exitCode = 1
}

function readOptions(args: string[]): { chosen: readonly Round[]; seconds: number } {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true },
      seconds: { type: 'string' },
      ci: { type: 'boolean', default: false },
    },
  })
  const names = rounds.map(({ name }) => name)
  const unknown = values.only?.filter((name) => !names.includes(name)) ?? []
  if (unknown.length > 0)
    throw new Error(`There is no round ${unknown.join(', ')}. Choose ${names.join(', ')}.`)
  return {
    chosen: rounds.filter(({ name }) => values.only?.includes(name) ?? true),
    seconds: Number(values.seconds ?? (values.ci ? 10 : 60)),
  }
}

function print(round: Round, report: RoundReport): void {
  const { accepted, delivered, duplicates, longestGapMs, violations } = report
  const gap = `${(longestGapMs / 1_000).toFixed(1)} s`
  const verdict = violations.length === 0 ? 'held' : 'VIOLATED'
  console.log(row(round.name, accepted, delivered, duplicates, gap, verdict))
  console.log(`  ${[round.what, ...report.notes].join('; ')}`)
  for (const violation of violations) console.log(`  ✗ ${violation}`)
  for (const line of report.evidence) console.log(`    ${line}`)
}

function row(name: string, ...columns: Array<string | number>): string {
  return [name.padEnd(22), ...columns.map((column) => String(column).padStart(11))].join(' ')
}
