/** The internal listener: health for operators. It is never public, so it asks for no credential. */
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/database.ts'
import { Refusal } from '../model/errors.ts'
import type { Log } from '../ops/log.ts'
import { createListener } from './listener.ts'

export function createInternalApp(db: Database, log: Log): FastifyInstance {
  const app = createListener({
    log,
    trustedProxies: [],
    headers: { 'cache-control': 'no-store' },
    bodyLimitBytes: 1024,
    logFields: () => ({ listener: 'internal' }),
    failureStatus: (refusal) => refusal.status,
  })
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async () => {
    await sql`SELECT 1`.execute(db)
    return { status: 'ready' }
  })
  app.setNotFoundHandler(async () => {
    throw new Refusal('unknownPath', 'There is nothing at this path.')
  })
  return app
}
