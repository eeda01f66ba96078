/** The app of the command line tool `hookline`. It is created when it is used for the first time. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/** The tool contains it. */
export const cliAppId = 'hookline-cli'

/** Any port of the loopback address is allowed. */
const redirectUri = 'http://127.0.0.1/callback'
const publisher = 'Hookline'

export async function createCliApp(db: Database): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext(${cliAppId}))`.execute(trx)
    const existing = await trx.selectFrom('apps').select('id').where('id', '=', cliAppId).executeTakeFirst()
    if (existing !== undefined) return
    const { id: accountId } = await trx
      .insertInto('accounts')
      .values({ name: publisher })
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('apps')
      .values({ id: cliAppId, accountId, name: 'Hookline CLI', isPublic: true, redirectUris: [redirectUri] })
      .execute()
  })
}
