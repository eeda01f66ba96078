/** Tests that an export ends after its time limit, even if its client reads nothing. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { pipeline } from 'node:stream'
import { expect, test } from 'vitest'
import { createOpenExports } from './open-exports.ts'

test('a stalled export ends after the time limit and makes room for another', async () => {
  const exports = createOpenExports({ maxPerAccount: 1, maxTotal: 10, maxMs: 500 })
  let isReading = true
  async function* endless() {
    try {
      for (;;) yield 'x'.repeat(100_000)
    } finally {
      isReading = false
    }
  }
  const server = createServer((_request, response) =>
    pipeline(exports.open(1, endless()), response, () => {}),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await once(server, 'request')
  expect(() => exports.open(1, endless())).toThrow('Export limit of 1 reached')
  await expect.poll(() => isReading, { timeout: 10_000 }).toBe(false)
  exports.open(1, endless()).destroy()
  server.close()
  // The server waits until the connection is closed.
  await once(server, 'close')
})
