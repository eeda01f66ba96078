/** Receives one request, to verify it as it arrives on this machine. */
import { createServer } from 'node:http'
import type { SignedRequest } from '@hookline/receiver'
import { CliError, exitCodes } from './errors.ts'

/** Larger than every event. */
const maxBytes = 2 * 1024 * 1024

/** Waits for a request on a port of this machine, and responds with 200. */
export function receiveRequest(port: number): Promise<SignedRequest> {
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= maxBytes) chunks.push(chunk)
        else request.destroy()
      })
      request.on('end', () => {
        response.writeHead(200, { connection: 'close' }).end('Received by hookline verify.\n')
        server.close()
        const { method = '', url = '', headers } = request
        const query = url.split('?').slice(1).join('?')
        resolve({ method, query, headers, body: Buffer.concat(chunks) })
      })
    })
    server.on('error', (error) =>
      reject(new CliError(`Port ${port} cannot be used: ${error.message}.`, { exitCode: exitCodes.usage })),
    )
    server.listen(port, 'localhost')
  })
}
