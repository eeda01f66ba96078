import { memoryStore, once, receive } from '@hookline/receiver'
import Fastify from 'fastify'

const secrets = [process.env.HOOKLINE_SECRET ?? '']
const ids = memoryStore()

export const app = Fastify()

// In a plugin, so that other routes keep their parsers.
app.register(async (webhooks) => {
  webhooks.removeAllContentTypeParsers()
  webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  webhooks.all('/webhooks', async (request, reply) => {
    const received = await receive(request, { secrets })
    if (!received.isValid) return reply.status(received.status).send(received.message)
    const { event } = received
    await once(event.id, ids, () => console.log(event.webhook_event, event.data))
    return reply.status(204).send()
  })
})
