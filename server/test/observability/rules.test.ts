/** The alert rules: valid, tested, documented, and about series that exist. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, inject, test, vi } from 'vitest'
import { parse } from 'yaml'
import { reservedPort } from '../../../dev/ports.ts'
import { createGateway } from '../support/gateway.ts'
import { isSelected, selectorsOf } from '../support/promql.ts'
import { scrape, type Series } from '../support/scrape.ts'
import { startNodeExporter, startPostgresExporter } from '../support/servers/exporters.ts'
import { startTestService } from '../support/test-service.ts'

// The rule tests evaluate windows of three days.
vi.setConfig({ testTimeout: 180_000 })

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = `${root}deploy/prometheus`
const testFiles = readdirSync(`${folder}/tests`)

interface Rule {
  alert?: string
  record?: string
  expr: string
  labels?: { severity?: string }
  annotations?: Record<string, string>
}

const { groups } = parse(readFileSync(`${folder}/alerts.yml`, 'utf8')) as {
  groups: Array<{ name: string; rules: Rule[] }>
}
const rules = groups.flatMap((group) => group.rules)
const alerts = rules.flatMap((rule) => (rule.alert === undefined ? [] : [{ ...rule, alert: rule.alert }]))

test('promtool accepts the rules', async () => {
  const { stdout } = await run('promtool', ['check', 'rules', '--lint-fatal', `${folder}/alerts.yml`])
  expect(stdout).toContain(`${rules.length} rules found`)
})

test.each(testFiles)('the rule tests in %s pass', async (file) => {
  const { stdout } = await run('promtool', ['test', 'rules', `${folder}/tests/${file}`])
  expect(stdout).toContain('SUCCESS')
})

test('every alert has a rule test in which it fires and one in which it does not', () => {
  const checks = testFiles.flatMap((file) => {
    const { tests } = parse(readFileSync(`${folder}/tests/${file}`, 'utf8')) as {
      tests: Array<{ promql_expr_test: Array<{ expr: string; exp_samples: unknown[] }> }>
    }
    return tests.flatMap((one) => one.promql_expr_test)
  })
  const expectations = (fires: boolean): string[] => [
    ...new Set(
      checks
        .filter(({ exp_samples }) => exp_samples.length > 0 === fires)
        .map(({ expr }) => /alertname="(\w+)"/.exec(expr)?.[1] ?? ''),
    ),
  ]
  const names = alerts.map(({ alert }) => alert).toSorted()
  expect(expectations(true).toSorted()).toEqual(names)
  expect(expectations(false).toSorted()).toEqual(names)
})

test('every alert has a severity, a summary, a description and a section in the runbook', () => {
  const runbook = readFileSync(`${root}docs/runbook.md`, 'utf8')
  const sections = [...runbook.matchAll(/^### (Hookline\w+)$/gm)].map(([, name = '']) => name)
  expect(sections.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted())
  for (const { alert, labels, annotations } of alerts) {
    expect(labels?.severity, alert).toMatch(/^(page|ticket)$/)
    expect(annotations, alert).toEqual({
      summary: expect.stringMatching(/\S/),
      description: expect.stringMatching(/\.$/),
      runbook_url: `docs/runbook.md#${alert.toLowerCase()}`,
    })
  }
})

test('every series of the rules and dashboards exists', async () => {
  const series = await readAllSeries()
  const recorded = new Set(rules.map(({ record }) => record))
  const dashboards = readdirSync(`${root}deploy/grafana`)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => expressionsOf(JSON.parse(readFileSync(`${root}deploy/grafana/${file}`, 'utf8'))))
  const expressions = [...rules.map(({ expr }) => expr), ...dashboards]
  expect(dashboards.length).toBeGreaterThan(20)
  const selectors = expressions.flatMap(selectorsOf)
  expect(selectors.length).toBeGreaterThan(80)
  const missing = selectors.filter((selector) => !series.some((one) => isSelected(selector, one)))
  expect([...new Set(missing.map(({ text }) => text))]).toEqual([])
  for (const expression of expressions)
    for (const [name] of expression.matchAll(/\bhookline:[\w:]+/g)) expect(recorded).toContain(name)
})

/** Returns the series of a process with all optional parts, after a canary and a rejected event, and of the exporters. */
async function readAllSeries(): Promise<Series[]> {
  // Below the ephemeral port range, so that the port is still free when the service starts.
  const port = await reservedPort()
  const hookline = await startTestService({
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    ALLOW_PRIVATE_TARGETS: 'true',
    CANARY_SECONDS: '1',
    NATS_URL: inject('natsUrl'),
  })
  const node = await startNodeExporter()
  const postgres = await startPostgresExporter(hookline.database.url)
  try {
    const gateway = await createGateway(hookline)
    await gateway.submitEvents({ account_id: 999_999, type: 'sms_mo', data: {} })
    const own = () => scrape(hookline.service.internalUrl)
    await expect
      .poll(async () => (await own()).text, { timeout: 60_000 })
      .toMatch(/^hookline_canary_age_seconds \d/m)
    const scrapes = await Promise.all([own(), scrape(node.url), scrape(postgres.url)])
    return scrapes.flatMap((one) => one.series)
  } finally {
    await Promise.all([node.stop(), postgres.stop(), hookline.close()])
  }
}

/** Returns all PromQL expressions of a dashboard. */
function expressionsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'expr' && typeof inner === 'string' ? [inner] : expressionsOf(inner),
  )
}
