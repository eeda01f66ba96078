/**
 * Events whose ids lie on both sides of midnight, offered to three workers at once. A lock on `work` holds up the route
 * commit of whoever has taken them; meanwhile they are made to look free, so that the next worker takes them too. Then all
 * commits run at the same moment, and each event must be routed once.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { readLeft } from './books.ts'
import type { Round } from './round.ts'
import { until } from './wait.ts'
import type { World } from './world.ts'

const dayMs = 24 * 60 * 60 * 1_000
const eventsAtEachEdge = 10
/** Statements of the service are cancelled after 5 s: a worker that waited so long no longer routes with the others. */
const longestLockMs = 4_500
/** On a busy machine it may take that long; then it is done again, at other midnights. */
const mostTimes = 5

export const boundary: Round = {
  name: 'midnight-routed-twice',
  what: 'events with ids at midnight, routed by three workers at once',
  workersAtStart: 3,
  async strike({ world, workers }) {
    const client = await world.connect()
    const watching = await world.connect()
    // Workers that route other events would wait for the lock too, and leave nobody to take these.
    world.producer.pause(true)
    const [accountId = 0] = world.hooksOf.keys()
    const planted: Planted[] = []
    let lockedMs = Number.POSITIVE_INFINITY
    for (let time = 0; time < mostTimes && lockedMs >= longestLockMs; time++) {
      if (time > 0) await letLoadRun(world)
      await until('nothing else to route', async () => world.producer.isAnswered() && isIdle(watching))
      const midnight = (Math.ceil(Date.now() / dayMs) + 2 * time) * dayMs
      const ids = [midnight - dayMs, midnight].flatMap(idsAround)
      const own = ids.map((id, place) => ({ id, key: `midnight-${time}-${place}` }))
      planted.push(...own)

      await client.query('BEGIN; LOCK TABLE work IN SHARE MODE')
      const lockedAt = performance.now()
      await plant(watching, accountId, own)
      await offerToAll(watching, ids, workers.length, lockedAt + longestLockMs)
      await client.query('COMMIT')
      lockedMs = performance.now() - lockedAt
    }
    world.producer.pause(false)
    return {
      faults: [],
      struck: [],
      planted,
      notes: [`${planted.length} events, each taken by ${workers.length} workers`],
      check: async (books) => [
        ...(await findMisplaced(books)),
        ...(lockedMs < longestLockMs ? [] : [`proved nothing: the lock was held for ${lockedMs} ms`]),
      ],
    }
  },
}

/** A worker that could not place what it took takes less the next time; with load it finds back. */
async function letLoadRun({ producer }: World): Promise<void> {
  producer.pause(false)
  await sleep(2_000)
  producer.pause(true)
}

interface Planted {
  id: string
  key: string
}

/** Lets one worker after the other take the events, or gives up when it is too late for that. */
async function offerToAll(
  client: Client,
  ids: readonly string[],
  workers: number,
  endsAt: number,
): Promise<void> {
  for (let tries = 1; tries <= workers; tries++) {
    await until(
      `worker ${tries} takes them`,
      async () => performance.now() > endsAt || (await isTaken(client, ids, tries)),
    )
    await client.query(
      'UPDATE inbox SET taken_until = NULL WHERE event_id = ANY ($1::uuid[]) AND tries < $2',
      [ids, workers],
    )
  }
}

/** The very last id of a day and the very first of the next, and some in the same two milliseconds. */
function idsAround(midnight: number): string[] {
  const before = Array.from({ length: eventsAtEachEdge }, () => uuid(midnight - 1, randomBytes(8)))
  const after = Array.from({ length: eventsAtEachEdge }, () => uuid(midnight, randomBytes(8)))
  return [uuid(midnight - 1, Buffer.alloc(8, 0xff)), ...before, uuid(midnight, Buffer.alloc(8)), ...after]
}

function uuid(at: number, rest: Buffer): string {
  const time = at.toString(16).padStart(12, '0')
  const random = rest.toString('hex')
  const variant = (8 + ((rest[7] ?? 0) & 3)).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(3, 6)}-${random.slice(4)}`
}

async function plant(client: Client, accountId: number, planted: readonly Planted[]): Promise<void> {
  await client.query(
    `WITH given AS (SELECT * FROM unnest($2::uuid[], $3::text[]) AS given (id, key)), known AS (
       INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
       SELECT $1, id, 'sms_mo', json_build_object('id', key)::text, 1, now() FROM given
     )
     INSERT INTO inbox (event_id, account_id) SELECT id, $1 FROM given`,
    [accountId, planted.map(({ id }) => id), planted.map(({ key }) => key)],
  )
}

async function isTaken(client: Client, ids: readonly string[], tries: number): Promise<boolean> {
  const { rows } = await client.query('SELECT FROM inbox WHERE event_id = ANY ($1::uuid[]) AND tries >= $2', [
    ids,
    tries,
  ])
  return rows.length === ids.length
}

async function isIdle(client: Client): Promise<boolean> {
  const { inbox, work } = await readLeft(client)
  return inbox + work === 0
}

/** Each row of the ledger lies in the day of its event's id. */
async function findMisplaced(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ place: string; id: string }>(
    `SELECT place::text, id FROM (
       SELECT tableoid::regclass AS place, id FROM events
       UNION ALL SELECT tableoid::regclass, event_id FROM deliveries
       UNION ALL SELECT tableoid::regclass, event_id FROM attempts
     ) AS ledger
     WHERE right(place::text, 8) <> to_char(to_timestamp(
       ('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000) AT TIME ZONE 'UTC', 'YYYYMMDD')`,
  )
  return rows.map(({ place, id }) => `misplaced: ${id} lies in ${place}`)
}
