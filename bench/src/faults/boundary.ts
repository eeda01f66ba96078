/**
 * Three workers route the same events, whose ids are on both sides of midnight. A lock on `work` blocks the route
 * commit of the worker that claimed the events. Meanwhile their claim is cleared, so that the next worker claims them
 * too. Then all commits run at the same time, and each event must be routed once.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { readRemaining } from './read-observations.ts'
import type { Scenario } from './scenario.ts'
import { waitFor } from '../support/wait-for.ts'
import type { Environment } from './environment.ts'

const dayMs = 24 * 60 * 60 * 1_000
const eventsPerEdge = 10
/** The service cancels its statements after 5 s. A worker that waits longer no longer routes with the others. */
const maxLockMs = 4_500
/** On a busy machine the lock may last too long. The scenario then repeats at other midnights. */
const maxAttempts = 5

export const boundary: Scenario = {
  name: 'midnight-routed-twice',
  description: 'events with ids at midnight, routed by three workers at once',
  workersAtStart: 3,
  async injectFault({ environment, workers }) {
    const client = await environment.connect()
    const observer = await environment.connect()
    // Workers that route other events would block on the lock and could not claim these events.
    environment.producer.pause(true)
    const [accountId = 0] = environment.hooksByAccount.keys()
    const inserted: InsertedEvent[] = []
    let lockedMs = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < maxAttempts && lockedMs >= maxLockMs; attempt++) {
      if (attempt > 0) await runLoadBriefly(environment)
      await waitFor('an empty queue', async () => environment.producer.isAcknowledged() && isIdle(observer))
      const midnight = (Math.ceil(Date.now() / dayMs) + 2 * attempt) * dayMs
      const ids = [midnight - dayMs, midnight].flatMap(idsAround)
      const batch = ids.map((id, index) => ({ id, key: `midnight-${attempt}-${index}` }))
      inserted.push(...batch)

      await client.query('BEGIN; LOCK TABLE work IN SHARE MODE')
      const lockedAt = performance.now()
      await insertEvents(observer, accountId, batch)
      await claimByAll(observer, ids, workers.length, lockedAt + maxLockMs)
      await client.query('COMMIT')
      lockedMs = performance.now() - lockedAt
    }
    environment.producer.pause(false)
    return {
      faults: [],
      affected: [],
      inserted,
      notes: [`${inserted.length} events, each claimed by ${workers.length} workers`],
      check: async (reader) => [
        ...(await findMisplaced(reader)),
        ...(lockedMs < maxLockMs ? [] : [`proved nothing: the lock was held for ${lockedMs} ms`]),
      ],
    }
  },
}

/**
 * Lets workers recover: after a failed route a worker claims smaller batches, until load raises the batch size again.
 */
async function runLoadBriefly({ producer }: Environment): Promise<void> {
  producer.pause(false)
  await sleep(2_000)
  producer.pause(true)
}

interface InsertedEvent {
  id: string
  key: string
}

/** Lets each worker claim the events in turn. Gives up at `endsAt`. */
async function claimByAll(
  client: Client,
  ids: readonly string[],
  workers: number,
  endsAt: number,
): Promise<void> {
  for (let tries = 1; tries <= workers; tries++) {
    await waitFor(
      `worker ${tries} to claim the events`,
      async () => performance.now() > endsAt || (await areClaimed(client, ids, tries)),
    )
    await client.query(
      'UPDATE inbox SET taken_until = NULL WHERE event_id = ANY ($1::uuid[]) AND tries < $2',
      [ids, workers],
    )
  }
}

/** Returns the last id of a day, the first id of the next day, and others in the same two milliseconds. */
function idsAround(midnight: number): string[] {
  const before = Array.from({ length: eventsPerEdge }, () => uuid(midnight - 1, randomBytes(8)))
  const after = Array.from({ length: eventsPerEdge }, () => uuid(midnight, randomBytes(8)))
  return [uuid(midnight - 1, Buffer.alloc(8, 0xff)), ...before, uuid(midnight, Buffer.alloc(8)), ...after]
}

function uuid(at: number, rest: Buffer): string {
  const hex = at.toString(16).padStart(12, '0')
  const random = rest.toString('hex')
  const variant = (8 + ((rest[7] ?? 0) & 3)).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(3, 6)}-${random.slice(4)}`
}

async function insertEvents(
  client: Client,
  accountId: number,
  inserted: readonly InsertedEvent[],
): Promise<void> {
  await client.query(
    `WITH input AS (SELECT * FROM unnest($2::uuid[], $3::text[]) AS input (id, key)), inserted AS (
       INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
       SELECT $1, id, 'sms_mo', json_build_object('id', key)::text, 1, now() FROM input
     )
     INSERT INTO inbox (event_id, account_id) SELECT id, $1 FROM input`,
    [accountId, inserted.map(({ id }) => id), inserted.map(({ key }) => key)],
  )
}

async function areClaimed(client: Client, ids: readonly string[], tries: number): Promise<boolean> {
  const { rows } = await client.query('SELECT FROM inbox WHERE event_id = ANY ($1::uuid[]) AND tries >= $2', [
    ids,
    tries,
  ])
  return rows.length === ids.length
}

async function isIdle(client: Client): Promise<boolean> {
  const { inbox, work } = await readRemaining(client)
  return inbox + work === 0
}

/** Finds ledger rows outside the partition of the day in their event id. */
async function findMisplaced(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ partition: string; id: string }>(
    `SELECT partition::text, id FROM (
       SELECT tableoid::regclass AS partition, id FROM events
       UNION ALL SELECT tableoid::regclass, event_id FROM deliveries
       UNION ALL SELECT tableoid::regclass, event_id FROM attempts
     ) AS ledger
     WHERE right(partition::text, 8) <> to_char(to_timestamp(
       ('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000) AT TIME ZONE 'UTC', 'YYYYMMDD')`,
  )
  return rows.map(({ partition, id }) => `misplaced: ${id} is in ${partition}`)
}
