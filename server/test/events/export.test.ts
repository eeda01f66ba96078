/** Exports with clients that read slowly or not at all. */
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { exportEvents } from '../../src/events/export-events.ts'
import { presentEvent } from '../../src/http/routes/events/present.ts'
import { minEventId } from '../../src/model/event-id.ts'
import { call } from '../support/http-call.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
beforeAll(async () => {
  hookline = await startTestService()
})
afterAll(() => hookline.close())

const events = 200

/** Creates events with 400 deliveries each: 8 MB as an export, more than the kernel buffers for a stalled reader. */
async function createAccountWithDeliveries(): Promise<TestAccount> {
  const account = await hookline.account()
  const prefix = minEventId(new Date()).slice(0, 24)
  await hookline.database.query(
    `INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
     SELECT $1, ($2 || lpad(n::text, 12, '0'))::uuid, 'dlr', '{}', 1, now() FROM generate_series(1, $3::integer) AS n`,
    [account.accountId, prefix, events],
  )
  await hookline.database.query(
    `INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts)
     SELECT account_id, id, hook_id, 1, 'delivered', 'delivered', 1
     FROM events, generate_series(1, 400) AS hook_id WHERE account_id = $1`,
    [account.accountId],
  )
  return account
}

/** Requests an export without reading the response. */
function stall(key: string): Socket {
  const { hostname, port } = new URL(hookline.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.pause()
  socket.write(`GET /api/events/export HTTP/1.1\r\nhost: ${hostname}\r\nx-api-key: ${key}\r\n\r\n`)
  return socket
}

test('an account has at most two open exports, and an export that ends or is aborted makes room', async () => {
  const { key, accountId } = await createAccountWithDeliveries()
  const countAudited = async () =>
    (
      await hookline.database.query("SELECT FROM audit WHERE account_id = $1 AND action = 'event.export'", [
        accountId,
      ])
    ).length
  const sockets = [stall(key), stall(key)]
  await expect.poll(countAudited, { timeout: 10_000 }).toBe(2)
  const third = await call(`${hookline.url}/api/events/export`, { key })
  expect(third.status).toBe(429)
  expect(third.json).toMatchObject({
    code: 1209,
    error_message: 'Export limit of 2 reached. Wait until one ends, or cancel one.',
    details: { limit: 2 },
  })
  expect(await countAudited()).toBe(2)
  const other = await hookline.account()
  expect((await call(`${hookline.url}/api/events/export`, { key: other.key })).status).toBe(200)

  sockets[0]?.destroy()
  for (let turn = 0; turn < 2; turn++) {
    let text = ''
    await expect
      .poll(
        async () => {
          const response = await call(`${hookline.url}/api/events/export`, { key })
          text = response.text
          return response.status
        },
        { timeout: 10_000 },
      )
      .toBe(200)
    expect(text.trimEnd().split('\n')).toHaveLength(events)
  }
  for (const socket of sockets) socket.destroy()
})

test('an export is read in parts of bounded size', async () => {
  const { accountId } = await createAccountWithDeliveries()
  const db = openDatabase(hookline.database.url, 1, () => {})
  const file = exportEvents({
    db,
    accountId,
    search: {},
    eventId: undefined,
    before: undefined,
    format: 'jsonl',
    present: (row) => presentEvent(row),
    writeCursor: (position) => position,
    limit: (read) => read(),
    isStillAllowed: async () => true,
    monotonic: () => 0,
  })
  const lines: string[] = []
  for await (const part of file) {
    expect(part.length).toBeLessThan(1_000_000)
    lines.push(...part.trimEnd().split('\n'))
  }
  expect(new Set(lines.map((line) => JSON.parse(line).id)).size).toBe(events)
  expect(lines).toHaveLength(events)
  await db.destroy()
})
