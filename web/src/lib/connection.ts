/**
 * Whether the service can be reached. Whatever must load before a page can appear waits here during an outage and is tried
 * again with increasing delays, all at the same times, or at once when the user asks for it.
 */
const delaysMs = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

let failures = 0
let isUnreachable = false
let timer: ReturnType<typeof setTimeout> | undefined
const waiting = new Set<() => void>()
const listeners = new Set<() => void>()

export function subscribeToConnection(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function hasOutage(): boolean {
  return isUnreachable
}

/** Tries everything that waits again. */
export function retryNow(): void {
  clearTimeout(timer)
  timer = undefined
  const woken = [...waiting]
  waiting.clear()
  for (const wake of woken) wake()
}

/** Repeats `attempt` until it succeeds or fails for another reason than an outage. */
export async function untilReachable<Result>(
  attempt: () => Promise<Result>,
  isOutage: (error: unknown) => boolean,
): Promise<Result> {
  for (;;) {
    try {
      const result = await attempt()
      report(false)
      return result
    } catch (error) {
      if (!isOutage(error)) throw error
      await waitForRetry()
    }
  }
}

function waitForRetry(): Promise<void> {
  if (timer === undefined) {
    timer = setTimeout(retryNow, delaysMs[Math.min(failures, delaysMs.length - 1)])
    failures += 1
    report(true)
  }
  return new Promise((resolve) => waiting.add(resolve))
}

function report(isDown: boolean): void {
  if (!isDown) failures = 0
  if (isDown === isUnreachable) return
  isUnreachable = isDown
  for (const listener of listeners) listener()
}
