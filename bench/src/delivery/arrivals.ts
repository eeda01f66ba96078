/** What has come in at the receiver, read from its log: lines of an id and a time in seconds. */
import type { FileHandle } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Arrival {
  id: string
  atMs: number
}

export interface Arrivals {
  /** Forgets what has come in so far. */
  mark: () => Promise<void>
  /** Waits until so many have come in since the mark, or the time is over. Counts bytes, to take no time from others. */
  untilCount: (count: number, withinMs: number) => Promise<void>
  /** All since the mark. */
  read: () => Promise<Arrival[]>
}

/** A UUID, a space, seconds with three decimals, a line feed. */
const lineBytes = 36 + 1 + 14 + 1

export function openArrivals(log: FileHandle): Arrivals {
  let start = 0
  const size = async (): Promise<number> => (await log.stat()).size

  return {
    async mark() {
      start = await size()
    },
    async untilCount(count, withinMs) {
      const endsAt = performance.now() + withinMs
      while ((await size()) - start < count * lineBytes && performance.now() < endsAt) await sleep(10)
    },
    async read() {
      const buffer = Buffer.alloc((await size()) - start)
      await log.read(buffer, 0, buffer.length, start)
      const lines = buffer.toString('latin1').split('\n').slice(0, -1)
      return lines.map((line) => {
        const [id = '', seconds] = line.split(' ')
        return { id, atMs: Number(seconds) * 1_000 }
      })
    },
  }
}

/** Throws unless exactly these ids have come in, each of them once. */
export function verifyExactlyOnce(sent: readonly string[], arrived: readonly Arrival[]): void {
  const missing = new Set(sent)
  if (missing.size !== sent.length) throw new Error('an id was handed out twice')
  const extra: string[] = []
  for (const { id } of arrived) if (!missing.delete(id)) extra.push(id)
  if (missing.size === 0 && extra.length === 0) return
  const examples = [...missing, ...extra].slice(0, 3).join(', ')
  throw new Error(
    `of ${sent.length} messages ${missing.size} never arrived and ${extra.length} arrivals are too many: ${examples}`,
  )
}
