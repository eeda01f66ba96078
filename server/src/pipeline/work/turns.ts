/**
 * A turn for each hook that has work waiting: its lane. Whoever adds work does it with this, in the same statement; an
 * earlier turn stays, and so does what the lane knows of its breaker.
 */
import { type RawBuilder, sql } from 'kysely'

/** `turns` selects account_id, hook_id, due_at and host, each hook once and in order; no host: the lane's own stays. */
export function addTurns(turns: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    INSERT INTO lane (account_id, hook_id, due_at, host) ${turns} ORDER BY account_id, hook_id
    ON CONFLICT (account_id, hook_id) DO UPDATE SET
      due_at = least(lane.due_at, excluded.due_at), host = coalesce(nullif(excluded.host, ''), lane.host)`
}
