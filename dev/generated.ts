/** Everything that is generated and checked in: how it is made, so that `generate` writes it and `check` compares it. */
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
import { catalogue } from '../server/src/model/errors.ts'
import { postgresFolder } from './postgres.ts'
import { startServices } from './services.ts'

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
    { path: 'docs/openapi.json', text: openApiText() },
    { path: apiTypesPath, text: await apiTypes() },
    ...fromDatabase,
  ]
}

/** A database of its own with nothing but the migrations in it, dropped afterwards. */
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

/** The dump without what differs between versions and runs of pg_dump: comments, settings, session guards. */
async function schemaDump(url: URL): Promise<string> {
  const args = ['--schema-only', '--no-owner', '--no-privileges', url.href]
  const { stdout } = await run(`${await postgresFolder()}/pg_dump`, args, { maxBuffer: 2 ** 24 })
  const kept = stdout.split('\n').filter((line) => !/^(--|SET |SELECT pg_catalog\.set_config|\\)/.test(line))
  return `${kept
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

function openApiText(): string {
  const document = openApiDocument(apiRoutes, new URL('http://localhost:8080'))
  return `${JSON.stringify(document, undefined, 2)}\n`
}

const apiTypesPath = 'sdk/src/api-types.ts'

/** The types of all calls, for the client and the developer area. */
async function apiTypes(): Promise<string> {
  const types = astToString(await openapiTypescript(openApiText()))
  const text = `/* Generated from docs/openapi.json by \`npm run generate\`. */\n/* oxlint-disable */\n\n${types}`
  return format(text, { ...(await resolveConfig(apiTypesPath)), filepath: apiTypesPath })
}

function configurationPage(): string {
  const rows = Object.values(settings).map(
    (setting) => `| \`${setting.name}\` | ${defaultText(setting)} | ${setting.meaning} |`,
  )
  return `# Settings

<!-- Generated from server/src/config.ts by \`npm run generate\`. -->

The service reads its settings from the environment, once, when it starts. If any is missing or cannot be read, it
names all of them and does not start. For local work \`npm run services\` writes what is needed to \`.services/env\`,
which the commands read; a variable that is set in the environment wins over that file.

| setting | default | meaning |
| --- | --- | --- |
${rows.join('\n')}
`
}

function defaultText(setting: (typeof settings)[keyof typeof settings]): string {
  if (setting.default === undefined) return '**required**'
  if (typeof setting.default === 'function') return setting.defaultText ?? ''
  return setting.default === '' ? 'empty' : `\`${setting.default}\``
}

function errorsPage(): string {
  const rows = Object.values(catalogue).map(
    (entry) => `| ${entry.code} | ${entry.status} | ${entry.meaning} |`,
  )
  return `# Errors

<!-- Generated from server/src/model/errors.ts by \`npm run generate\`. -->

A call that fails is answered with an HTTP status and this body; there is no \`id\` and no \`hooks\` in it:

\`\`\`json
{ "success": false, "code": 1100, "error_message": "There is no webhook with the id 7." }
\`\`\`

\`code\` is stable: programs may rely on it. \`error_message\` is a sentence for people and may change, except that an
address that cannot be parsed is answered with exactly \`Invalid URL\`.

| range | about |
| --- | --- |
| 900–999 | who is calling |
| 1000–1099 | the request and its parameters |
| 1100–1199 | what is or is not there |
| 1200–1299 | limits |
| 1300–1399 | faults of the service |

In the older \`action\` dialect (see [the contract](contract.md#the-action-dialect)) failures with status 400, 404 and 409
that come after authentication have the HTTP status 200 instead; the body is the same.

| code | status | meaning |
| --- | --- | --- |
${rows.join('\n')}
`
}
