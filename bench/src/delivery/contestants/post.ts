/** One POST to the receiver, the same for the bare sender and for every rival. */
import { Pool } from 'undici'
import type { Message } from '../message.ts'

/** Messages under way at once, for all who use this. */
export const connections = 64

export function openPost(url: string): (message: Message) => Promise<void> {
  const pool = new Pool(new URL(url).origin, { connections, pipelining: 1 })
  return async ({ headers, body }) => {
    const answer = await pool.request({ method: 'POST', path: '/', headers, body })
    await answer.body.dump()
    if (answer.statusCode !== 204) throw new Error(`the receiver answered ${answer.statusCode}`)
  }
}
