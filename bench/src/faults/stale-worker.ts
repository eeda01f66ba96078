/**
 * Pauses a worker (SIGSTOP) until other workers have released its leases, then resumes it (SIGCONT). Two probes make sure that the worker then
 * has both kinds of stale result:
 *   failing:   sent without a response. Another worker sends it again and waits for the response. The stale failure must
 *              not change the delivery that the other worker has leased.
 *   succeeded: the receiver responds 204, but a lock blocks the settlement until the lease is lost. Another worker sends
 *              it again and gets 500. The stale success must settle, because the receiver has the event.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { attemptLines } from './read-observations.ts'
import type { Scenario } from './scenario.ts'
import { deliveryName } from './verify.ts'
import { inTransitMs, waitFor, waitUntilBlocking, waitUntilUnblocked } from '../support/wait-for.ts'

/** Time to accept, route and send an event on a busy machine. */
const sendTimeoutMs = 60_000
const leaseTimeoutMs = 60_000
/** Longer than others wait for a heartbeat, but short enough that the second attempts, which wait for responses, do not time out. */
const pausedMs = 15_000

export const staleWorker: Scenario = {
  name: 'worker-paused',
  description: 'SIGSTOP of a worker until others have taken over, then SIGCONT',
  // The worker to pause must route the probes, so it is the only one at first.
  workersAtStart: 1,
  async injectFault({ environment, workers: [pausedWorker] }) {
    if (pausedWorker === undefined) throw new Error('no worker')
    const [accountId = 0, [failing = 0, succeeding = 0] = []] = [...environment.hooksByAccount].at(-1) ?? []
    const failed = environment.receivers.respondManually(failing)
    const succeeded = environment.receivers.respondManually(succeeding)
    environment.producer.offer(accountId)
    const respondFirst = await succeeded.request(1, sendTimeoutMs)
    await failed.request(1, sendTimeoutMs)

    const locker = await environment.connect()
    const observer = await environment.connect()
    await locker.query('BEGIN')
    await locker.query('SELECT FROM work WHERE hook_id = $1 FOR UPDATE', [succeeding])
    respondFirst(204)
    await waitUntilBlocking(locker)
    const from = Date.now()
    pausedWorker.child.kill('SIGSTOP')
    // No other worker runs yet, so the paused worker sent all requests that still arrive.
    await sleep(inTransitMs)
    const inTransitUntil = Date.now()
    await Promise.all([environment.startWorker(), environment.startWorker()])
    await waitUntilUnblocked(locker)
    await locker.query('ROLLBACK')

    const respondFailing = await failed.request(2, leaseTimeoutMs)
    const respondSucceeding = await succeeded.request(2, leaseTimeoutMs)
    // All leases of the paused worker were released together, so the others are attempted by now.
    await sleep(Math.max(0, from + pausedMs - Date.now()))
    respondSucceeding(500)
    await waitFor('the 500 to be settled', async () =>
      (await queueRows(observer, succeeding)).includes('"attempts":1'),
    )
    // The next attempt must not start before the stale result.
    await observer.query(`UPDATE work SET due_at = now() + interval '1 hour' WHERE hook_id = $1`, [
      succeeding,
    ])
    const before = await queueRows(observer, failing)
    pausedWorker.child.kill('SIGCONT')
    const staleReport = (hookId: number) => attemptLines(pausedWorker).find((line) => line.hookId === hookId)
    await waitFor('both stale results', () => Boolean(staleReport(failing) && staleReport(succeeding)))
    const after = await queueRows(observer, failing)
    const isStaleFailureHarmless =
      before === after && before !== '' && staleReport(failing)?.isSettled === false
    const isStaleSuccessSettled =
      staleReport(succeeding)?.isSettled === true && (await queueRows(observer, succeeding)) === ''
    respondFailing(204)

    return {
      faults: [{ from, until: inTransitUntil }],
      affected: [pausedWorker],
      retried: [staleReport(succeeding)].flatMap((line) => (line === undefined ? [] : deliveryName(line))),
      notes: [`paused for ${Math.round((Date.now() - from) / 1_000)} s`],
      check: () => [
        ...(isStaleFailureHarmless ? [] : [`stale failure changed the work row from ${before} to ${after}`]),
        ...(isStaleSuccessSettled ? [] : ['stale success did not settle']),
      ],
    }
  },
}

/** Returns the work rows of a hook as text, empty if there are none. */
async function queueRows(client: Client, hookId: number): Promise<string> {
  const { rows } = await client.query<{ row: object }>(
    'SELECT row_to_json(work) AS row FROM work WHERE hook_id = $1',
    [hookId],
  )
  return rows.map(({ row }) => JSON.stringify(row)).join(' ')
}
