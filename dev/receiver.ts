/**
 * Starts a webhook receiver on loopback. It records every request unchanged and responds with a custom function or 204.
 * Tests, the demo and benchmarks use it.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ReceivedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  rawHeaders: string[]
  body: string
  at: number
}

export interface Receiver {
  /** Returns the URL with a path. */
  url: (path?: string) => string
  requests: ReceivedRequest[]
  /** Returns the requests to one path. */
  at: (path: string) => ReceivedRequest[]
  /** Waits until the condition is true. On timeout, throws an error that lists the last requests. */
  until: (isDone: (requests: ReceivedRequest[]) => boolean, timeoutMs?: number) => Promise<void>
  close: () => Promise<void>
}

type Respond = (request: ReceivedRequest, response: ServerResponse, count: number) => void | Promise<void>

export async function startReceiver(
  respond: Respond = (_request, response) => noContent(response),
  host = '127.0.0.1',
): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const received: ReceivedRequest = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks).toString(),
        at: Date.now(),
      }
      requests.push(received)
      void respond(received, response, requests.length)
    })
  })
  // Longer than any test, so that the receiver never closes a persistent connection.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const { port } = address

  return {
    url: (path = '/') => `http://${host}:${port}${path}`,
    requests,
    at: (path) => requests.filter((request) => request.url === path),
    async until(isDone, timeoutMs = 10_000) {
      const endsAt = performance.now() + timeoutMs
      while (!isDone(requests)) {
        if (performance.now() > endsAt)
          throw new Error(
            `timed out; received ${requests.length} requests: ${requests
              .slice(-5)
              .map((r) => r.url)
              .join(' ')}`,
          )
        await sleep(10)
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function noContent(response: ServerResponse): void {
  response.statusCode = 204
  response.end()
}
