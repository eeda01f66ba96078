/** Creates databases for benchmarks and proofs, on the server that `npm run services` starts. */
import { Client } from 'pg'
import { migrate } from '../../../server/src/db/migrate.ts'
import { migrationsFolder } from '../../../server/src/db/migrations-folder.ts'

export interface BenchDatabase {
  url: URL
  client: Client
  drop: () => Promise<void>
}

/** Creates a migrated database. */
export async function createBenchDatabase(server: string, name: string): Promise<BenchDatabase> {
  const { url, drop } = await createEmptyDatabase(server, name)
  await migrate({ databaseUrl: url, folder: migrationsFolder })
  const client = new Client({ connectionString: url.href })
  await client.connect()
  return {
    url,
    client,
    async drop() {
      await client.end()
      await drop()
    },
  }
}

export async function createEmptyDatabase(
  server: string,
  name: string,
): Promise<Pick<BenchDatabase, 'url' | 'drop'>> {
  const admin = new Client({ connectionString: server })
  await admin.connect()
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await admin.query(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url,
    async drop() {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.end()
    },
  }
}
