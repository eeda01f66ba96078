import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { memoryStore, once, receive } from '@hookline/receiver'

const secrets = [process.env.HOOKLINE_SECRET ?? '']
const ids = memoryStore()

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const received = await receive(request, { secrets })
  if (!received.isValid) return void response.writeHead(received.status).end(received.message)
  const { event } = received
  await once(event.id, ids, () => console.log(event.webhook_event, event.data))
  response.writeHead(204).end()
}

export const server = createServer((request, response) => {
  // Hookline retries after every status but 2xx.
  handle(request, response).catch(() => response.writeHead(500).end())
})
