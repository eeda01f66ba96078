/** Stores a test event that only one consumer gets: it is matched against no webhook. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { ledgerWrite } from '../db/ledger-write.ts'
import { takeIdEndings } from '../model/event-id.ts'
import { noProducer, type ValidEvent } from '../model/event.ts'
import { consumerNotFound } from './consumer-store.ts'

/** Returns the id of the event. */
export async function sendTestToConsumer(
  db: Database,
  consumerId: number,
  event: ValidEvent,
): Promise<string> {
  const { accountId, type, data, messageId, sender, recipient, foreignId } = event
  const [idEnding = ''] = takeIdEndings(1)
  const { rows } = await sql<{ id: string }>`
    WITH added AS (
      INSERT INTO events (account_id, id, type, data, producer_id, accepted_at, message_id, sender, recipient, foreign_id,
                          test_consumer_id)
      SELECT account_id, (left(uuid_v7_floor(now())::text, 14) || ${idEnding})::uuid, ${type}, ${data}, ${noProducer}, now(),
             ${messageId}, ${sender}, ${recipient}, ${foreignId}, id
      FROM consumers WHERE ${ledgerWrite} AND account_id = ${accountId} AND id = ${consumerId}
      RETURNING account_id, id
    ), routed AS (
      INSERT INTO routes (account_id, event_id, hooks_version)
      SELECT added.account_id, added.id, accounts.hooks_version FROM added JOIN accounts ON accounts.id = added.account_id
    )
    SELECT id FROM added
  `.execute(db)
  const [added] = rows
  if (added === undefined) throw consumerNotFound(consumerId)
  return added.id
}
