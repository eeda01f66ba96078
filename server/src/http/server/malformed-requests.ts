/** Responds to requests that are not valid HTTP or arrive too slowly. Such requests have only a socket. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../../model/errors.ts'
import type { Log } from '../../runtime/log.ts'
import { errorBody } from './envelope.ts'

type ClientError = Error & { code?: string }

interface PendingRequest {
  request: IncomingMessage
  response: ServerResponse
  closed: Promise<void>
}

interface MalformedRequests {
  respond: (problem: ClientError, socket: Socket) => Promise<void>
  /** Tracks valid requests, so that their responses are sent first. */
  watch: (server: Pick<Server, 'on'>) => void
}

export function handleMalformed(log: Log): MalformedRequests {
  const pending = new WeakMap<Socket, Set<PendingRequest>>()
  return {
    watch(server) {
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const { socket } = request
        const ofSocket = pending.get(socket) ?? new Set()
        const closed = new Promise<void>((resolve) => response.once('close', resolve))
        const entry = { request, response, closed }
        pending.set(socket, ofSocket.add(entry))
        response.once('close', () => ofSocket.delete(entry))
      })
    },
    async respond(problem, socket) {
      log.info({ parser: problem.code }, 'malformed request')
      // Bytes after a request with `Connection: close`. The response to that request is enough.
      if (problem.code === 'HPE_CLOSED_CONNECTION') return
      const requests = [...(pending.get(socket) ?? [])]
      await Promise.all(requests.filter(({ request }) => request.complete).map(({ closed }) => closed))
      // A request already rejected by its headers has a response and needs no second one.
      const incomplete = requests.find(({ request }) => !request.complete)
      if (incomplete?.response.headersSent) socket.destroySoon()
      else reject(problem, socket)
    },
  }
}

function reject(error: ClientError, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [rejection, phrase] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? [
          new ApiError('requestTimeout', 'Request timeout: the request did not arrive completely in time.'),
          'Request Timeout',
        ]
      : [new ApiError('malformedRequest', 'Malformed HTTP request.'), 'Bad Request']
  const body = JSON.stringify(errorBody(rejection))
  const lines = [
    `HTTP/1.1 ${rejection.status} ${phrase}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
