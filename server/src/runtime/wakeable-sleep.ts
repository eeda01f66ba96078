/** A sleep that can be ended early. A wake during no sleep ends the next one at once. */
export interface WakeableSleep {
  sleep: (ms: number) => Promise<void>
  wake: () => void
}

export function createWakeableSleep(): WakeableSleep {
  let isWoken = false
  let end: (() => void) | undefined
  return {
    async sleep(ms) {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          end = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      end = undefined
      isWoken = false
    },
    wake() {
      isWoken = true
      end?.()
    },
  }
}
