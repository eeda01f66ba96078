/**
 * Receiver of the inbox-backlog proof, in a separate process. Responds 204 and records the id and time of each
 * request. On request, returns its URL, the number of arrivals, or all arrivals.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { arrivalBytes, type ReceiverResponses } from './arrivals.ts'

let arrivals = Buffer.alloc(100_000 * arrivalBytes)
let count = 0

function record(id: string): void {
  const offset = count++ * arrivalBytes
  if (offset === arrivals.length) arrivals = Buffer.concat([arrivals, Buffer.alloc(arrivals.length)])
  arrivals.write(id.replaceAll('-', ''), offset, 'hex')
  arrivals.writeDoubleBE(Date.now(), offset + 16)
}

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  record(String(request.headers['webhook-id']))
  request.resume()
  response.writeHead(204).end()
})

server.listen({ host: '127.0.0.1', port: 0, backlog: 1_024 }, () => {
  const { port } = server.address() as AddressInfo
  process.on('message', ({ field }: { field: keyof ReceiverResponses }) => {
    const responses: ReceiverResponses = {
      url: `http://127.0.0.1:${port}/`,
      count,
      arrivals: arrivals.subarray(0, field === 'arrivals' ? count * arrivalBytes : 0),
    }
    process.send?.({ [field]: responses[field] })
  })
  process.send?.({})
})
process.on('disconnect', () => process.exit(0))
