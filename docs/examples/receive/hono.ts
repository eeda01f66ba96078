import { memoryStore, once, receive } from '@hookline/receiver'
import { Hono } from 'hono'

const secrets = [process.env.HOOKLINE_SECRET ?? '']
const ids = memoryStore()

export const app = new Hono()

app.all('/webhooks', async (context) => {
  const received = await receive(context.req.raw, { secrets })
  if (!received.isValid) return context.text(received.message, received.status)
  const { event } = received
  await once(event.id, ids, () => console.log(event.webhook_event, event.data))
  return context.body(null, 204)
})
