import { expect, test } from 'vitest'
import { startReceiver } from '../../dev/receiver.ts'
import { createConnections } from '../src/pipeline/dispatch/connections.ts'

test.each([
  ['in time, it is sent', Number.POSITIVE_INFINITY, 2],
  ['too late, it is not sent', 0, 1],
])(
  'a request that waits inside the client is judged again before its first byte: %s',
  async (_what, endsAt, sent) => {
    const receiver = await startReceiver()
    const connections = createConnections(async () => ['127.0.0.1'])
    const origin = new URL(receiver.url()).origin
    const request = { method: 'POST', path: '/', body: 'x' } as const
    const connection = connections.take(origin, Number.POSITIVE_INFINITY)
    const first = await connection.client.request(request)
    await first.body.dump()
    await connections.giveBack(origin, connection, true)

    const again = connections.take(origin, Number.POSITIVE_INFINITY)
    expect(again).toBe(connection)
    const second = again.client.request(request).catch((error: Error) => error.message)
    // As if the process had been held from here on until its time was over.
    again.endsAt = endsAt
    const answer = await second
    if (typeof answer === 'string') expect(answer).toBe('the request came too late to be sent')
    else await answer.body.dump()
    expect(receiver.requests).toHaveLength(sent)
    await connections.close()
    await receiver.close()
  },
)
