/** Receives one request, to verify it as it arrives on this machine. */
import { on } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { SignedRequest } from '@hookline/receiver'
import { CliError, exitCodes } from './errors.ts'
import { readAtMost } from './read-bounded.ts'
import { queryOf } from './read-request.ts'

/** Larger than every event. */
const maxBytes = 2 * 1024 * 1024

/** Waits for a request on a port of this machine, and responds with 200. */
export async function receiveRequest(port: number): Promise<SignedRequest> {
  const server = createServer().listen(port, 'localhost')
  try {
    const requests = on(server, 'request') as AsyncIterable<[IncomingMessage, ServerResponse]>
    for await (const [request, response] of requests) {
      const body = await readAtMost(maxBytes, request).catch(() => undefined)
      // After one that is too large or incomplete, the next one counts.
      if (body === undefined) continue
      response.writeHead(200, { connection: 'close' }).end('Received by hookline verify.\n')
      const { method = '', url = '', headers } = request
      return { method, query: queryOf(url), headers, body }
    }
    throw new CliError('The server has ended.')
  } catch (error) {
    if (error instanceof CliError) throw error
    const { message } = error as Error
    throw new CliError(`Port ${port} cannot be used: ${message}.`, { exitCode: exitCodes.usage })
  } finally {
    server.close()
  }
}
