/** Starts PostgreSQL and NATS and builds the server if necessary. Migrates the template database that every test file clones. */
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { buildServerIfStale } from '../../../dev/build-server.ts'
import { startServices } from '../../../dev/services.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrationsFolder } from '../../src/db/migrations-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string
    natsUrl: string
    templateDatabase: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { DATABASE_URL, NATS_URL } = await startServices(() => {})
  await buildServerIfStale()
  const template = `hookline_template_${process.pid}`
  const client = new Client({ connectionString: DATABASE_URL })
  await client.connect()
  await client.query(`CREATE DATABASE ${template}`)
  const databaseUrl = new URL(DATABASE_URL)
  databaseUrl.pathname = `/${template}`
  await migrate({ databaseUrl, folder: migrationsFolder })
  project.provide('serverUrl', DATABASE_URL)
  project.provide('natsUrl', NATS_URL)
  project.provide('templateDatabase', template)
  return async () => {
    await client.query(`DROP DATABASE ${template} WITH (FORCE)`)
    await client.end()
  }
}
