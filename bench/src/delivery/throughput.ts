/** Throughput: messages are handed in as fast as they are taken; timed from the first hand-in to the last arrival. */
import type { Contestant } from './contestants/contestant.ts'
import { type Costs, handInAndVerify, takeTurn, type Track, withCosts } from './turn.ts'

export interface ThroughputTurn extends Costs {
  messages: number
  seconds: number
  perSecond: number
}

export function measureThroughput(
  contestant: Contestant,
  track: Track,
  messages: number,
): Promise<ThroughputTurn> {
  return takeTurn(contestant, track, async (running) => {
    const handIn = await running.prepare(messages)
    return withCosts(running, track, async () => {
      const startedAt = Date.now()
      const arrived = await handInAndVerify(running, track, handIn, messages)
      const lastAt = arrived.reduce((latest, { atMs }) => Math.max(latest, atMs), 0)
      const seconds = (lastAt - startedAt) / 1_000
      return { messages, seconds, perSecond: messages / seconds }
    })
  })
}
