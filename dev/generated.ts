/** Generates all generated files that are checked in. `generate` writes them, and `check` compares them. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { Client } from 'pg'
import { format, resolveConfig } from 'prettier'
import { settings } from '../server/src/config.ts'
import { migrate } from '../server/src/db/migrate.ts'
import { migrationsFolder } from '../server/src/db/migrations-folder.ts'
import { apiRoutes } from '../server/src/http/api-routes.ts'
import { openApiDocument } from '../server/src/http/openapi.ts'
import { errorCatalog } from '../server/src/model/errors.ts'
import { deliverableTypes } from '../server/src/model/event.ts'
import { buildDashboard } from './dashboards/dashboard.ts'
import { dashboards } from './dashboards/dashboards.ts'
import { licensesPage } from './licenses.ts'
import { postgresFolder } from './postgres.ts'
import { startServices } from './services.ts'
import { buildVectors } from './vectors.ts'

const run = promisify(execFile)

export interface GeneratedFile {
  path: string
  text: string
}

export async function generateAll(): Promise<GeneratedFile[]> {
  const fromDatabase = await withMigratedDatabase(async (url) => [
    { path: 'server/schema.sql', text: await schemaDump(url) },
    { path: 'server/src/db/types.ts', text: await databaseTypes(url) },
  ])
  return [
    { path: 'docs/configuration.md', text: configurationPage() },
    { path: 'docs/errors.md', text: errorsPage() },
    {
      path: prometheusRulePath,
      text: prometheusRule(await readFile('deploy/prometheus/alerts.yml', 'utf8')),
    },
    { path: 'docs/licenses.md', text: licensesPage(JSON.parse(await readFile('package-lock.json', 'utf8'))) },
    { path: openApiPath, text: await openApiText() },
    { path: apiTypesPath, text: await apiTypes() },
    { path: 'sdk/src/error-codes.ts', text: errorCodes() },
    { path: eventTypesPath, text: await eventTypes() },
    { path: vectorsPath, text: await vectorsText() },
    ...(await dashboardFiles()),
    ...fromDatabase,
  ]
}

/** Creates a temporary database with only the migrations applied. */
async function withMigratedDatabase<T>(use: (url: URL) => Promise<T>): Promise<T> {
  const { DATABASE_URL } = await startServices(() => {})
  const name = `hookline_generate_${process.pid}`
  const admin = new Client({ connectionString: DATABASE_URL })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  const url = new URL(DATABASE_URL)
  url.pathname = `/${name}`
  try {
    await migrate({ databaseUrl: url, folder: migrationsFolder })
    return await use(url)
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  }
}

/**
 * Returns the schema dump without lines that differ between versions and runs of pg_dump: comments, settings, guards.
 */
async function schemaDump(url: URL): Promise<string> {
  const args = ['--schema-only', '--no-owner', '--no-privileges', url.href]
  const { stdout } = await run(`${await postgresFolder()}/pg_dump`, args, { maxBuffer: 2 ** 24 })
  const lines = stdout.split('\n').filter((line) => !/^(--|SET |SELECT pg_catalog\.set_config|\\)/.test(line))
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`
}

async function databaseTypes(url: URL): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-types-'))
  const file = join(folder, 'types.ts')
  const args = ['--dialect', 'postgres', '--camel-case', '--url', url.href, '--out-file', file]
  await run('kysely-codegen', args)
  const text = await readFile(file, 'utf8')
  await rm(folder, { recursive: true })
  return text
}

const openApiPath = 'docs/openapi.json'

function apiDocument(): object {
  return openApiDocument(apiRoutes, new URL('http://localhost:8080'))
}

async function openApiText(): Promise<string> {
  return format(JSON.stringify(apiDocument()), {
    ...(await resolveConfig(openApiPath)),
    filepath: openApiPath,
  })
}

const apiTypesPath = 'sdk/src/api-types.ts'

/** Returns the types of all API calls, for the SDK and the dashboard. */
async function apiTypes(): Promise<string> {
  const types = astToString(await openapiTypescript(await openApiText()))
  const text = `/* Generated from docs/openapi.json by \`npm run generate\`. */\n/* oxlint-disable */\n\n${types}`
  return format(text, { ...(await resolveConfig(apiTypesPath)), filepath: apiTypesPath })
}

/** Returns the names and codes of the errors. */
function errorCodes(): string {
  const lines = Object.entries(errorCatalog).map(([name, { code }]) => `  ${name}: ${code},`)
  return `/* Generated from the error catalog by \`npm run generate\`. */\n\n/** Codes by the reason of an error. */\nexport const errorCodes = {\n${lines.join('\n')}\n} as const\n`
}

const eventTypesPath = 'receiver/src/event-types.ts'

/** Returns the types of event data, for the receiver library, which imports nothing. */
async function eventTypes(): Promise<string> {
  const { openapi, info, components } = apiDocument() as {
    openapi: string
    info: object
    components: { schemas: Record<string, object> }
  }
  const schemas = Object.fromEntries(
    deliverableTypes.map((type) => [type, components.schemas[`${type}_data`] ?? {}]),
  )
  const document = JSON.stringify({ openapi, info, paths: {}, components: { schemas } })
  const types = astToString(await openapiTypescript(document))
  const text = `/* Generated from the event schemas by \`npm run generate\`. */\n/* oxlint-disable */\n\n${types}\n/** Data by event type. */\nexport type EventDataByType = components['schemas']\n`
  return format(text, { ...(await resolveConfig(eventTypesPath)), filepath: eventTypesPath })
}

const vectorsPath = 'receiver/vectors.json'

async function vectorsText(): Promise<string> {
  return format(JSON.stringify(buildVectors()), {
    ...(await resolveConfig(vectorsPath)),
    filepath: vectorsPath,
  })
}

function dashboardFiles(): Promise<GeneratedFile[]> {
  return Promise.all(
    dashboards.map(async (dashboard) => {
      const path = `deploy/grafana/${dashboard.uid}.json`
      const text = JSON.stringify(buildDashboard(dashboard))
      return { path, text: await format(text, { ...(await resolveConfig(path)), filepath: path }) }
    }),
  )
}

const prometheusRulePath = 'deploy/kubernetes/components/monitoring/prometheus-rule.yaml'

/** Returns the alerts as an object of the Prometheus Operator. */
function prometheusRule(alerts: string): string {
  return `# Generated from deploy/prometheus/alerts.yml by \`npm run generate\`.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: hookline
  namespace: hookline
  labels:
    app.kubernetes.io/name: hookline
spec:
${alerts.replaceAll(/^(?=.)/gm, '  ')}`
}

function configurationPage(): string {
  const rows = Object.values(settings).map(
    (setting) => `| ${namesOf(setting).join(', ')} | ${defaultText(setting)} | ${setting.description} |`,
  )
  return `# Settings

<!-- Generated from server/src/config.ts by \`npm run generate\`. -->

The service reads its settings from environment variables once, when it starts. If settings are missing or invalid, it
lists all of them and does not start. For local development, \`npm run services\` writes the required settings to
\`.services/env\`, which the other commands read. Environment variables take precedence over that file.

Settings with \`_FILE\` can also be read from a file, as container platforms and systemd provide secrets: set
\`MASTER_KEY_FILE\` to its path instead of \`MASTER_KEY\`.

| setting | default | description |
| --- | --- | --- |
${rows.join('\n')}
`
}

type SettingEntry = (typeof settings)[keyof typeof settings]

function namesOf({ name, isSecret }: SettingEntry): string[] {
  return [name, ...(isSecret ? [`${name}_FILE`] : [])].map((variable) => `\`${variable}\``)
}

function defaultText(setting: SettingEntry): string {
  if (setting.default === undefined) return '**required**'
  if (typeof setting.default === 'function') return setting.defaultText ?? ''
  return setting.default === '' ? 'empty' : `\`${setting.default}\``
}

function errorsPage(): string {
  const rows = Object.values(errorCatalog).map(
    (entry) => `| ${entry.code} | ${entry.status} | ${entry.description} |`,
  )
  return `# Errors

<!-- Generated from server/src/model/errors.ts by \`npm run generate\`. -->

A failed call returns an HTTP error status and this body, without \`id\` or \`hooks\`:

\`\`\`json
{ "success": false, "code": 1100, "error_message": "There is no webhook with the id 7." }
\`\`\`

\`code\` is stable, so programs can rely on it. \`error_message\` is for people and may change, with one exception: the
message for a URL that cannot be parsed is always \`Invalid URL\`.

| range | category |
| --- | --- |
| 900–999 | authentication and authorization |
| 1000–1099 | request and parameters |
| 1100–1199 | missing or conflicting resources |
| 1200–1299 | limits |
| 1300–1399 | internal errors |

In the older \`action\` dialect (see [the contract](contract.md#the-action-dialect)), errors with status 400, 404 and 409
that occur after authentication have the HTTP status 200 instead. The body is the same.

| code | status | description |
| --- | --- | --- |
${rows.join('\n')}
`
}
