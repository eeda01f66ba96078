import { memoryStore, once, receive } from '@hookline/receiver'
import express from 'express'

const secrets = [process.env.HOOKLINE_SECRET ?? '']
const ids = memoryStore()

export const app = express()

// Before express.json(), which would take the bytes.
app.all('/webhooks', async (request, response) => {
  const received = await receive(request, { secrets })
  if (!received.isValid) return void response.status(received.status).send(received.message)
  const { event } = received
  await once(event.id, ids, () => console.log(event.webhook_event, event.data))
  response.status(204).end()
})

app.use(express.json())
