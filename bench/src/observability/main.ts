/**
 * `npm run prove -- alerts`: injects faults under load and checks that Alertmanager reports the right alerts, that they
 * end after the repair, and that no other alert pages. The windows of the rules are divided by 60. Also checks that
 * every expression of the dashboards returns data.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { dashboards } from '../../../dev/dashboards/dashboards.ts'
import { createEnvironment, type Environment } from '../faults/environment.ts'
import { createCleanup } from '../support/cleanup.ts'
import { createFolder } from '../support/servers.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Monitoring, type Notification, startMonitoring } from './monitoring.ts'
import { scaleRules } from './scale-rules.ts'
import { type AlertScenario, alertScenarios, type Processes } from './scenarios.ts'

const divisor = 60
/** Few, so that a busy machine delays no event. */
const eventsPerSecond = 20
const settleMs = 5_000
const quietMs = 15_000
const maxWaitMs = 120_000
const alertsFile = fileURLToPath(new URL('../../../deploy/prometheus/alerts.yml', import.meta.url))
/** Optional parts that this environment does not have. */
const optionalMetrics = /hookline_(canary|nats)_|hookline_events_rejected_total/

export async function proveAlerts(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { only: { type: 'string', multiple: true } } })
  const selected = alertScenarios.filter(({ name }) => values.only?.includes(name) ?? true)
  if (selected.length === 0)
    throw new Error(`Choose from ${alertScenarios.map(({ name }) => name).join(', ')}.`)
  const cleanup = createCleanup()
  try {
    const environment = await createEnvironment(cleanup.push, eventsPerSecond)
    const processes = { api: await environment.startApi(), worker: await environment.startWorker() }
    const monitoring = await startMonitoring({
      folder: await createFolder(cleanup),
      rules: scaleRules(await readFile(alertsFile, 'utf8'), divisor),
      databaseUrl: environment.postgres.url(),
      targets: urlsOf(processes),
      cleanup,
    })
    environment.producer.start()
    // Prometheus reads its targets after 5 s. Until then, all processes are absent.
    await untilScraped(monitoring)
    await sleep(settleMs)
    await waitForAlerts(
      () => monitoring.firing().size === 0,
      () => 'alerts do not end after the start',
    )
    await expectQuiet(monitoring)
    await checkDashboards(monitoring)
    for (const scenario of selected) await runScenario(scenario, environment, processes, monitoring)
    console.log('\nalerts: passed')
  } finally {
    await cleanup.run()
  }
}

function urlsOf({ api, worker }: Processes): string[] {
  return [api.internalUrl, worker.internalUrl]
}

async function expectQuiet({ notifications }: Monitoring): Promise<void> {
  const first = notifications.length
  await sleep(quietMs)
  const unexpected = notifications
    .slice(first)
    .filter(({ status, severity }) => status === 'firing' && severity === 'page')
  if (unexpected.length > 0)
    throw new Error(`alerts without a fault: ${unexpected.map(({ alert }) => alert).join(', ')}`)
  console.log(`no alert pages within ${quietMs / 1_000} s of load`)
}

async function checkDashboards({ query }: Monitoring): Promise<void> {
  const expressions = dashboards
    .flatMap(({ rows }) => Object.values(rows).flat())
    .flatMap(({ series }) => Object.values(series))
    .map((expression) => expression.replaceAll('$__rate_interval', '10s'))
  const empty: string[] = []
  for (const expression of expressions) if ((await query(expression)) === 0) empty.push(expression)
  const unexpected = empty.filter((expression) => !optionalMetrics.test(expression))
  if (unexpected.length > 0) throw new Error(`dashboards without data:\n${unexpected.join('\n')}`)
  console.log(
    `${expressions.length} expressions of ${dashboards.length} dashboards: ${expressions.length - empty.length} return data, ${empty.length} need an optional part`,
  )
}

async function runScenario(
  scenario: AlertScenario,
  environment: Environment,
  processes: Processes,
  monitoring: Monitoring,
): Promise<void> {
  const { name, expected, tolerated } = scenario
  const { notifications, firing } = monitoring
  const first = notifications.length
  const since = (): readonly Notification[] => notifications.slice(first)
  const hasFired = (alert: string): boolean =>
    since().some((one) => one.alert === alert && one.status === 'firing')

  const injectedAt = performance.now()
  await scenario.inject(environment, processes)
  const describe = (goal: string): string => `${name}: no ${goal}, firing: ${[...firing()].join(', ')}`
  await waitForAlerts(
    () => expected.every(hasFired),
    () => describe(expected.filter((alert) => !hasFired(alert)).join(', ')),
  )
  const repairedAt = performance.now()
  await scenario.repair(environment, processes)
  await monitoring.setTargets(urlsOf(processes))
  // Until then a role is absent, which pages.
  await untilScraped(monitoring)
  const isPaging = (): boolean => [...firing()].some((alert) => isPage(since(), alert))
  await waitForAlerts(
    () => !isPaging() && !expected.some((alert) => firing().has(alert)),
    () => describe('end of all alerts'),
  )

  console.log(`\n${name}`)
  for (const alert of expected) {
    const firedAt = since().find((one) => one.alert === alert)?.at ?? 0
    const endedAt = since().findLast((one) => one.alert === alert)?.at ?? 0
    console.log(
      `  ${alert.padEnd(30)} fired after ${toSeconds(firedAt - injectedAt)}, ended ${toSeconds(endedAt - repairedAt)} after the repair`,
    )
  }
  const others = [...new Set(since().map(({ alert }) => alert))].filter((alert) => !expected.includes(alert))
  const wrong = others.filter((alert) => isPage(since(), alert) && !tolerated.includes(alert))
  console.log(`  also: ${others.join(', ') || 'none'}`)
  if (wrong.length > 0) throw new Error(`${name}: other alerts page: ${wrong.join(', ')}`)
}

function untilScraped({ query }: Monitoring): Promise<void> {
  return waitFor('scrapes of api and worker', async () => (await query('hookline_ready == 1')) === 2)
}

async function waitForAlerts(isDone: () => boolean, describeFailure: () => string): Promise<void> {
  const endsAt = performance.now() + maxWaitMs
  while (!isDone()) {
    if (performance.now() > endsAt) throw new Error(describeFailure())
    await sleep(100)
  }
}

function isPage(notifications: readonly Notification[], name: string): boolean {
  return notifications.some(({ alert, severity }) => alert === name && severity === 'page')
}

function toSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
