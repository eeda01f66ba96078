/**
 * `npm run prove -- faults`: injects one fault after another under load. Compares the acknowledgements that the
 * producer got, the rows in the database, and the requests that the receivers got. docs/decisions/13-faults.md
 * describes the proof.
 */
import { setMaxListeners } from 'node:events'
import { parseArgs } from 'node:util'
import { createCleanup } from '../support/cleanup.ts'
import { type Scenario, type ScenarioReport, runScenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import { eventsPerSecond } from './environment.ts'

export async function proveFaults(args: string[]): Promise<void> {
  const { selected, seconds, isShort } = readOptions(args)
  const cleanup = createCleanup()
  // Each started process adds an exit listener that kills it.
  setMaxListeners(0, process)
  console.log(
    `${eventsPerSecond} events/s to 2 hooks each; an api, three workers and a dedicated PostgreSQL per scenario`,
  )
  console.log(row('scenario', 'accepted', 'delivered', 'duplicates', 'max gap', 'result'))

  let failed = 0
  for (const scenario of selected) {
    const report = await runScenario(scenario, { seconds, isShort }, cleanup.push)
    if (report.violations.length > 0) failed++
    print(scenario, report)
  }
  console.log(
    failed === 0
      ? `\nAll ${selected.length} scenarios passed.`
      : `\n${failed} of ${selected.length} scenarios failed.`,
  )
  if (failed > 0) process.exitCode = 1
}

function readOptions(args: string[]): {
  selected: readonly Scenario[]
  seconds: number
  isShort: boolean
} {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true },
      seconds: { type: 'string' },
      ci: { type: 'boolean', default: false },
    },
  })
  const names = scenarios.map(({ name }) => name)
  const unknown = values.only?.filter((name) => !names.includes(name)) ?? []
  if (unknown.length > 0)
    throw new Error(`Unknown scenario ${unknown.join(', ')}. Choose from ${names.join(', ')}.`)
  return {
    selected: scenarios.filter(({ name }) => values.only?.includes(name) ?? true),
    isShort: values.ci,
    seconds: Number(values.seconds ?? (values.ci ? 10 : 60)),
  }
}

function print(scenario: Scenario, report: ScenarioReport): void {
  const { accepted, delivered, duplicates, maxGapMs, violations } = report
  const gap = `${(maxGapMs / 1_000).toFixed(1)} s`
  const verdict = violations.length === 0 ? 'passed' : 'FAILED'
  console.log(row(scenario.name, accepted, delivered, duplicates, gap, verdict))
  console.log(`  ${[scenario.description, ...report.notes].join('; ')}`)
  for (const violation of violations) console.log(`  ✗ ${violation}`)
  for (const line of report.diagnostics) console.log(`    ${line}`)
}

function row(name: string, ...columns: Array<string | number>): string {
  return [name.padEnd(22), ...columns.map((column) => String(column).padStart(11))].join(' ')
}
