/** Reads the requests that the receiver logged. Each line holds an event id and a time in seconds. */
import type { FileHandle } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Arrival {
  id: string
  atMs: number
}

export interface Arrivals {
  /** Ignores all arrivals so far. */
  mark: () => Promise<void>
  /**
   * Waits for `count` arrivals since the mark, or until the timeout. Counts bytes, because parsing would cost CPU time.
   */
  untilCount: (count: number, timeoutMs: number) => Promise<void>
  /** Returns all arrivals since the mark. */
  read: () => Promise<Arrival[]>
}

/** A line is a UUID, a space, seconds with three decimals, and a line feed. */
const lineBytes = 36 + 1 + 14 + 1

export function openArrivals(log: FileHandle): Arrivals {
  let start = 0
  const size = async (): Promise<number> => (await log.stat()).size

  return {
    async mark() {
      start = await size()
    },
    async untilCount(count, timeoutMs) {
      const endsAt = performance.now() + timeoutMs
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

/** Throws unless each of these ids arrived exactly once, and no others did. */
export function verifyExactlyOnce(sent: readonly string[], arrived: readonly Arrival[]): void {
  const missing = new Set(sent)
  if (missing.size !== sent.length) throw new Error('duplicate id among the sent messages')
  const extra: string[] = []
  for (const { id } of arrived) if (!missing.delete(id)) extra.push(id)
  if (missing.size === 0 && extra.length === 0) return
  const examples = [...missing, ...extra].slice(0, 3).join(', ')
  throw new Error(
    `${missing.size} of ${sent.length} messages missing, ${extra.length} unexpected arrivals: ${examples}`,
  )
}
