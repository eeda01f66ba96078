/**
 * `npm run prove -- tail`: fast transactions commit events while slower, older transactions are open. Meanwhile a live
 * tail is disconnected repeatedly and its server is killed. Every event must arrive once, in the order of the
 * transactions.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type ServiceProcess, startProcess } from '../../../dev/service-process.ts'
import { startServices } from '../../../dev/services.ts'
import { openTail } from '../../../dev/tail-reader.ts'
import { createBenchDatabase } from '../support/database.ts'
import { createCleanup } from '../support/cleanup.ts'
import { createAccount, totalOf, writeOutOfOrder } from '../support/out-of-order-writer.ts'

const timeoutMs = 60_000

export async function proveTail(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '50000' },
      cuts: { type: 'string', default: '100' },
      kills: { type: 'string', default: '5' },
    },
  })
  const cleanup = createCleanup()
  try {
    const hasPassed = await execute(
      Number(values.events),
      Number(values.cuts),
      Number(values.kills),
      cleanup.push,
    )
    console.log(`\ntail: ${hasPassed ? 'passed' : 'FAILED'}`)
    if (!hasPassed) process.exitCode = 1
  } finally {
    await cleanup.run()
  }
}

async function execute(
  events: number,
  cuts: number,
  kills: number,
  addCleanup: (step: () => unknown) => void,
): Promise<boolean> {
  const { DATABASE_URL } = await startServices(() => {})
  const { url, client, drop } = await createBenchDatabase(DATABASE_URL, 'hookline_prove_tail')
  addCleanup(drop)
  const masterKey = randomBytes(32).toString('base64')
  const { accountId, key } = await createAccount(url, masterKey)
  const start = async (): Promise<ServiceProcess> => {
    const started = await startProcess({ DATABASE_URL: url.href, MASTER_KEY: masterKey }, 'api')
    addCleanup(() => started.stop())
    return started
  }
  let api = await start()
  const total = totalOf(events)
  const received: string[] = []
  let lastId: string | undefined
  let previousCount = 0
  let killed = 0

  const first = await openTail(`${api.url}/api/events/stream`, { headers: { 'x-api-key': key } })
  while (first.lastId() === undefined) await sleep(10)
  lastId = first.lastId()
  first.cut()
  const writing = writeOutOfOrder(url, accountId, total)
  for (let round = 0; received.length < total; round++) {
    const stopAt = Math.min(total, Math.ceil(((round + 1) * total) / (cuts + 1)))
    const reader = await openTail(`${api.url}/api/events/stream`, {
      headers: { 'x-api-key': key },
      lastEventId: lastId,
      onMessage({ id, data }) {
        if (received.length >= stopAt) return
        received.push(data.id)
        lastId = id
      },
    })
    const endsAt = performance.now() + timeoutMs
    while (received.length < stopAt && performance.now() < endsAt) await sleep(2)
    reader.cut()
    if (received.length === previousCount) break
    previousCount = received.length
    if (killed < kills && round % Math.ceil(cuts / kills) === 1) {
      api.child.kill('SIGKILL')
      api = await start()
      killed++
    }
  }
  await writing
  const { rows } = await client.query<{ id: string }>('SELECT id FROM events ORDER BY xid, id')
  const expected = rows.map(({ id }) => id)
  const hasPassed =
    expected.length === total &&
    expected.every((id, index) => received[index] === id) &&
    received.length === total
  console.log(
    `${total} events, ${cuts} cuts, ${killed} kills: ${received.length} received, ${received.length - new Set(received).size} duplicates`,
  )
  return hasPassed
}
