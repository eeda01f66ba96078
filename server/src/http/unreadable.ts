/** Requests that are no valid HTTP, or that take too long to arrive: there is only a socket to answer on. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Refusal } from '../model/errors.ts'
import type { Log } from '../ops/log.ts'
import { failureBody } from './envelope.ts'

type ClientError = Error & { code?: string }

interface PendingRequest {
  request: IncomingMessage
  response: ServerResponse
  answered: Promise<void>
}

interface UnreadableRequests {
  answer: (problem: ClientError, socket: Socket) => Promise<void>
  /** Learns of the requests that could be read, so that they get their own answers first. */
  watch: (server: Pick<Server, 'on'>) => void
}

export function handleUnreadable(log: Log): UnreadableRequests {
  const pending = new WeakMap<Socket, Set<PendingRequest>>()
  return {
    watch(server) {
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const { socket } = request
        const own = pending.get(socket) ?? new Set()
        const answered = new Promise<void>((resolve) => response.once('close', resolve))
        const entry = { request, response, answered }
        pending.set(socket, own.add(entry))
        response.once('close', () => own.delete(entry))
      })
    },
    async answer(problem, socket) {
      log.info({ parser: problem.code }, 'unreadable request')
      // More bytes after a request that said it was the last: its answer is all there is to say.
      if (problem.code === 'HPE_CLOSED_CONNECTION') return
      const own = [...(pending.get(socket) ?? [])]
      await Promise.all(own.filter(({ request }) => request.complete).map(({ answered }) => answered))
      // Refused by its headers already: its answer is on the way and needs no second one.
      const broken = own.find(({ request }) => !request.complete)
      if (broken?.response.headersSent) socket.destroySoon()
      else refuse(problem, socket)
    },
  }
}

function refuse(error: ClientError, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [refusal, phrase] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? [new Refusal('requestTimeout', 'The request did not arrive completely in time.'), 'Request Timeout']
      : [new Refusal('unreadableRequest', 'This is not a valid HTTP request.'), 'Bad Request']
  const body = JSON.stringify(failureBody(refusal))
  const lines = [
    `HTTP/1.1 ${refusal.status} ${phrase}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
