/** Posts a message to the receiver. The bare loop and all job queues use it. */
import { Pool } from 'undici'
import type { Message } from '../message.ts'

/** Maximum number of requests in flight. */
export const connections = 64

export function openPost(url: string): (message: Message) => Promise<void> {
  const pool = new Pool(new URL(url).origin, { connections, pipelining: 1 })
  return async ({ headers, body }) => {
    const response = await pool.request({ method: 'POST', path: '/', headers, body })
    await response.body.dump()
    if (response.statusCode !== 204) throw new Error(`the receiver responded ${response.statusCode}`)
  }
}
