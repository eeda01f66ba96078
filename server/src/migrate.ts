/** `npm run migrate`: applies what the database lacks and says what it did. */
import { loadConfig } from './config.ts'
import { migrate } from './db/migrate.ts'
import { migrationsFolder } from './db/migrations-folder.ts'
import { exitWithMessage } from './ops/exit.ts'

try {
  const config = loadConfig(process.env)
  const applied = await migrate({
    databaseUrl: config.databaseUrl,
    folder: migrationsFolder,
    onApplied: (name) => console.log(`applied ${name}`),
  })
  if (applied.length === 0) console.log('The database is up to date.')
} catch (error) {
  exitWithMessage(error)
}
