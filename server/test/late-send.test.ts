import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startReceiver } from '../../dev/receiver.ts'
import { createConnections } from '../src/pipeline/dispatch/connections.ts'
import { exchange } from '../src/pipeline/dispatch/exchange.ts'

/** The process is held, as by SIGSTOP, for so long. */
function hold(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test.each([
  ['in time, it is sent', 5_000, 2],
  ['too late, it is not sent', 50, 1],
])(
  'a request that waits inside the client is judged again before its first byte: %s',
  async (_what, leftMs, sent) => {
    const receiver = await startReceiver()
    const connections = createConnections(async () => ['127.0.0.1'])
    const { origin } = new URL(receiver.url())
    const request = { method: 'POST', path: '/', headers: [], body: 'x' } as const
    const far = performance.now() + 60_000
    const connection = connections.take(origin, far)
    expect(
      await exchange(connection.client, { ...request, headers: [] }, far, 1_000, connection.bytesRead),
    ).toMatchObject({
      status: 204,
    })
    connections.giveBack(origin, connection, true)

    const again = connections.take(origin, far)
    expect(again).toBe(connection)
    const second = exchange(
      again.client,
      { ...request, headers: [] },
      performance.now() + leftMs,
      1_000,
      again.bytesRead,
    )
    // The client keeps the request for a turn of the loop before it uses the socket again.
    hold(100)
    expect(await second).toMatchObject(
      sent === 2 ? { status: 204 } : { error: { message: expect.stringMatching(/too late|deadline/) } },
    )
    // Time for a request that should not have been sent to arrive.
    await sleep(300)
    expect(receiver.requests).toHaveLength(sent)
    await connections.close()
    await receiver.close()
  },
)
