import { type LambdaEvent, memoryStore, once, receive } from '@hookline/receiver'

const secrets = [process.env.HOOKLINE_SECRET ?? '']
const ids = memoryStore()

export async function handler(request: LambdaEvent): Promise<{ statusCode: number; body?: string }> {
  const received = await receive(request, { secrets })
  if (!received.isValid) return { statusCode: received.status, body: received.message }
  const { event } = received
  await once(event.id, ids, () => console.log(event.webhook_event, event.data))
  return { statusCode: 204 }
}
