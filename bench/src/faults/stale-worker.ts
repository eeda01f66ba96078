/**
 * A worker is held (SIGSTOP) until its leases are lost, and let go (SIGCONT). Two probes make sure that it then has both
 * kinds of stale news:
 *   failing:   sent, never answered; another worker sends it again and waits for its answer. The stale failure must
 *              change nothing of what the other one holds.
 *   succeeded: answered with 204, but the settling is held up by a lock until the lease is lost; another worker sends it
 *              again and is answered 500. The stale success must settle: the receiver has it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { attemptLines } from './books.ts'
import type { Round } from './round.ts'
import { onTheWayMs, until, untilBlocks, untilBlocksNobody } from './wait.ts'

/** Until an event is accepted, routed and sent; a busy machine may take a while. */
const sentMs = 60_000
const leaseLostMs = 60_000
/** Longer than a lease, and short enough for the second attempts, which wait for their answers meanwhile. */
const heldMs = 32_000

export const staleWorker: Round = {
  name: 'worker-held',
  what: 'SIGSTOP of a worker past its leases, then SIGCONT',
  // The one that will be held routes the probes, so it is alone until then.
  workersAtStart: 1,
  async strike({ world, workers: [held] }) {
    if (held === undefined) throw new Error('there is no worker')
    const [accountId = 0, [failing = 0, succeeding = 0] = []] = [...world.hooksOf].at(-1) ?? []
    const failed = world.receivers.takeOver(failing)
    const succeeded = world.receivers.takeOver(succeeding)
    world.producer.offer(accountId)
    const answerFirst = await succeeded.request(1, sentMs)
    await failed.request(1, sentMs)

    const locking = await world.connect()
    const watching = await world.connect()
    await locking.query('BEGIN')
    await locking.query('SELECT FROM work WHERE hook_id = $1 FOR UPDATE', [succeeding])
    answerFirst(204)
    await untilBlocks(locking)
    const from = Date.now()
    held.child.kill('SIGSTOP')
    // No other worker runs yet: what still arrives was sent by the one that is held.
    await sleep(onTheWayMs)
    const heldFrom = Date.now()
    await Promise.all([world.startWorker(), world.startWorker()])
    await untilBlocksNobody(locking)
    await locking.query('ROLLBACK')

    const answerFailing = await failed.request(2, leaseLostMs)
    const answerSucceeding = await succeeded.request(2, leaseLostMs)
    // Now the probes' leases are lost; a little later, so are those of all else it had in flight.
    await sleep(Math.max(0, from + heldMs - Date.now()))
    answerSucceeding(500)
    await until('the 500 is settled', async () =>
      (await workOf(watching, succeeding)).includes('"attempts":1'),
    )
    // Its next attempt must not come before the stale news.
    await watching.query(`UPDATE work SET due_at = now() + interval '1 hour' WHERE hook_id = $1`, [
      succeeding,
    ])
    const before = await workOf(watching, failing)
    held.child.kill('SIGCONT')
    const news = (hookId: number) => attemptLines(held).find((line) => line.hookId === hookId)
    await until('both kinds of stale news', () => Boolean(news(failing) && news(succeeding)))
    const after = await workOf(watching, failing)
    const isStaleFailureHarmless = before === after && before !== '' && news(failing)?.isSettled === false
    const isStaleSuccessSettled =
      news(succeeding)?.isSettled === true && (await workOf(watching, succeeding)) === ''
    answerFailing(204)

    return {
      faults: [{ from, until: heldFrom }],
      struck: [held],
      notes: [`held for ${Math.round((Date.now() - from) / 1_000)} s`],
      check: () => [
        ...(isStaleFailureHarmless
          ? []
          : [`a stale failure changed the work row: ${before} became ${after}`]),
        ...(isStaleSuccessSettled ? [] : ['a stale success did not settle']),
      ],
    }
  },
}

/** The work rows of a hook as text; empty: there are none. */
async function workOf(client: Client, hookId: number): Promise<string> {
  const { rows } = await client.query<{ row: object }>(
    'SELECT row_to_json(work) AS row FROM work WHERE hook_id = $1',
    [hookId],
  )
  return rows.map(({ row }) => JSON.stringify(row)).join(' ')
}
