import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startReceiver } from '../../../dev/receiver.ts'
import { createConnections } from '../../src/delivery/transport/connections.ts'
import { exchange } from '../../src/delivery/transport/exchange.ts'

/** Blocks the process, like SIGSTOP. */
function blockProcess(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test.each([
  ['in time, the request is sent', 5_000, 2],
  ['too late, the request is not sent', 50, 1],
])(
  'a request queued inside the client is checked again before its first byte: %s',
  async (_label, leftMs, sent) => {
    const receiver = await startReceiver()
    const connections = createConnections(async () => ['127.0.0.1'])
    const { origin } = new URL(receiver.url())
    const request = { method: 'POST', path: '/', headers: [], body: 'x' } as const
    const farDeadline = performance.now() + 60_000
    const connection = connections.acquire(origin, farDeadline)
    expect(
      await exchange(
        connection.client,
        { ...request, headers: [] },
        farDeadline,
        1_000,
        connection.bytesRead,
      ),
    ).toMatchObject({
      status: 204,
    })
    connections.release(origin, connection, true)

    const reused = connections.acquire(origin, farDeadline)
    expect(reused).toBe(connection)
    const second = exchange(
      reused.client,
      { ...request, headers: [] },
      performance.now() + leftMs,
      1_000,
      reused.bytesRead,
    )
    // The client keeps the request for one iteration of the event loop before it uses the socket again.
    blockProcess(100)
    expect(await second).toMatchObject(
      sent === 2 ? { status: 204 } : { error: { message: expect.stringMatching(/too late|deadline/) } },
    )
    // Time for an incorrectly sent request to arrive.
    await sleep(300)
    expect(receiver.requests).toHaveLength(sent)
    await connections.close()
    await receiver.close()
  },
)
