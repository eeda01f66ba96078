/**
 * Schedules the lane of each hook with pending deliveries. Every statement that adds deliveries includes this. An
 * earlier due time stays, and so does the state of the breaker.
 */
import { type RawBuilder, sql } from 'kysely'

/** `lanes` selects account_id, hook_id, due_at and host, each hook once. An empty host keeps the host of the lane. */
export function scheduleLanes(lanes: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    INSERT INTO lane (account_id, hook_id, due_at, host) ${lanes} ORDER BY account_id, hook_id
    ON CONFLICT (account_id, hook_id) DO UPDATE SET
      due_at = least(lane.due_at, excluded.due_at), host = coalesce(nullif(excluded.host, ''), lane.host)`
}
