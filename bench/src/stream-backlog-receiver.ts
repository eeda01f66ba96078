/**
 * The receiver of the stream-backlog proof, in a process of its own: answers 204 and notes the id and the moment of each
 * request in a few bytes. Asked for its address, how many have come in, and all of them.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { arrivalBytes, type ReceiverAnswers } from './stream-backlog-arrivals.ts'

let arrivals = Buffer.alloc(100_000 * arrivalBytes)
let count = 0

function note(id: string): void {
  const place = count++ * arrivalBytes
  if (place === arrivals.length) arrivals = Buffer.concat([arrivals, Buffer.alloc(arrivals.length)])
  arrivals.write(id.replaceAll('-', ''), place, 'hex')
  arrivals.writeDoubleBE(Date.now(), place + 16)
}

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  note(String(request.headers['webhook-id']))
  request.resume()
  response.writeHead(204).end()
})

server.listen({ host: '127.0.0.1', port: 0, backlog: 1_024 }, () => {
  const { port } = server.address() as AddressInfo
  process.on('message', ({ wants }: { wants: keyof ReceiverAnswers }) => {
    const answers: ReceiverAnswers = {
      url: `http://127.0.0.1:${port}/`,
      count,
      arrivals: arrivals.subarray(0, wants === 'arrivals' ? count * arrivalBytes : 0),
    }
    process.send?.({ [wants]: answers[wants] })
  })
  process.send?.({})
})
process.on('disconnect', () => process.exit(0))
