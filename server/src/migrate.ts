/** `npm run migrate`: applies missing migrations and prints their names. */
import { loadConfig } from './config.ts'
import { migrate } from './db/migrate.ts'
import { migrationsFolder } from './db/migrations-folder.ts'
import { storeRoleSettings } from './db/role-settings.ts'
import { exitWithMessage } from './runtime/exit.ts'

try {
  const config = loadConfig(process.env)
  const applied = await migrate({
    databaseUrl: config.migrateDatabaseUrl ?? config.databaseUrl,
    folder: migrationsFolder,
    onApplied: (name) => console.log(`applied ${name}`),
  })
  if (applied.length === 0) console.log('The database is up to date.')
  if (config.migrateDatabaseUrl !== undefined) {
    const { migrateDatabaseUrl: directUrl, databaseUrl } = config
    const isStored = await storeRoleSettings({ directUrl, databaseUrl })
    if (isStored) console.log('Stored the database session settings for the role of DATABASE_URL.')
  }
} catch (error) {
  exitWithMessage(error)
}
