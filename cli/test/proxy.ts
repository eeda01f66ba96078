/** A service between the tool and Hookline: it can act before a call, and change responses. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

interface ProxyOptions {
  before?: (request: IncomingMessage) => void | Promise<void>
  /** Changes the JSON of a response. */
  change?: (body: unknown, request: IncomingMessage) => unknown
}

export async function startProxy(target: string, { before, change }: ProxyOptions) {
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await before?.(request)
    const body = await buffer(request)
    const answered = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { 'x-api-key': String(request.headers['x-api-key']), 'content-type': 'application/json' },
      ...(body.length > 0 && { body }),
    })
    const text = await answered.text()
    response
      .writeHead(answered.status, { 'content-type': 'application/json' })
      .end(change === undefined ? text : JSON.stringify(change(JSON.parse(text), request)))
  }
  const server = createServer((request, response) => void forward(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
