/** Creates a test database from the migrated template; `drop` removes it after the test. */
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  url: URL
  query: <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>
  drop: () => Promise<void>
}

export async function createTestDatabase(
  template: string = inject('templateDatabase'),
): Promise<TestDatabase> {
  const name = `hookline_test_${randomBytes(6).toString('hex')}`
  const url = new URL(inject('serverUrl'))
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  url.pathname = `/${name}`
  const client = new Client({ connectionString: url.href })
  await client.connect()
  return {
    url,
    async query<Row extends object>(sql: string, values: unknown[] = []) {
      return (await client.query<Row>(sql, values)).rows
    },
    async drop() {
      await client.end()
      await onServer(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: inject('serverUrl') })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
