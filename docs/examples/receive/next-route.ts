// app/webhooks/route.ts
import { memoryStore, once, receive } from '@hookline/receiver'

const secrets = [process.env.HOOKLINE_SECRET ?? '']
const ids = memoryStore()

export async function POST(request: Request): Promise<Response> {
  const received = await receive(request, { secrets })
  if (!received.isValid) return new Response(received.message, { status: received.status })
  const { event } = received
  await once(event.id, ids, () => console.log(event.webhook_event, event.data))
  return new Response(null, { status: 204 })
}

/** For a webhook with the method GET. */
export { POST as GET }
