/**
 * Bounces: a mail server accepts an email, and another one refuses it later. Then the first sends a report (RFC 3464) to the
 * return path. The ids of messages are random, so nobody can forge a report about an email that they have not seen.
 */
import { sql } from 'kysely'
import { wordArray } from '../db/arrays.ts'
import type { Database } from '../db/database.ts'

export interface Bounce {
  /** Ids in the report. One is that of the email. */
  messageIds: string[]
  /** Such as 5.1.1. */
  status: string
}

const maxIds = 20
const messageId = /^message-id:\s*<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/gim

/** Reads a report. Returns undefined unless it says that delivery failed for good. */
export function readBounce(mail: string): Bounce | undefined {
  if (!/^action:\s*failed\s*$/im.test(mail)) return undefined
  const status = /^status:\s*(5\.\d{1,3}\.\d{1,3})\b/im.exec(mail)?.[1]
  const messageIds = [...mail.matchAll(messageId)].slice(0, maxIds).map(([, id = '']) => id.toLowerCase())
  return status === undefined || messageIds.length === 0 ? undefined : { messageIds, status }
}

/** Records a bounce. Returns the number of messages that it is about. */
export async function recordBounce(db: Database, { messageIds, status }: Bounce): Promise<number> {
  const { rows } = await sql`
    UPDATE notice_messages SET state = 'bounced', reason = ${status}, finished_at = now()
    WHERE message_id = ANY (${wordArray(messageIds)}::uuid[]) AND state = 'sent'
    RETURNING id
  `.execute(db)
  return rows.length
}
