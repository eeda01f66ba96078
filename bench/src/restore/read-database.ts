/** Reads the records of the database for `verify`. */
import type { Client } from 'pg'
import { readRemaining } from '../faults/read-observations.ts'
import { deliveryName } from '../faults/verify.ts'
import type { Observations } from './verify.ts'

export async function readRestored(client: Client): Promise<Observations['restored']> {
  const deliveries = await readDeliveries(client)
  return { events: await readEvents(client), settled: new Set(deliveries.map(deliveryName)) }
}

export async function readFinal(client: Client): Promise<Observations['final']> {
  return {
    events: await readEvents(client),
    deliveries: await readDeliveries(client),
    left: await readRemaining(client),
  }
}

async function readEvents(client: Client): Promise<Observations['final']['events']> {
  const { rows } = await client.query<Observations['final']['events'][number]>(
    `SELECT id, data::jsonb->>'id' AS key, account_id AS "accountId" FROM events`,
  )
  return rows
}

async function readDeliveries(client: Client): Promise<Observations['final']['deliveries']> {
  const { rows } = await client.query<Observations['final']['deliveries'][number]>(
    'SELECT event_id AS "eventId", hook_id AS "hookId", state FROM deliveries',
  )
  return rows
}
