/** Whatever ends a measurement or a proof, what it started ends with it: steps to undo, taken in reverse, on a signal too. */
export interface Undo {
  push: (step: () => unknown) => void
  /** Takes all steps; one that fails keeps none of the others from being taken. */
  all: () => Promise<void>
}

export function createUndo(): Undo {
  const steps: Array<() => unknown> = []
  let running: Promise<void> = Promise.resolve()
  const all = (): Promise<void> => (running = running.then(takeAll))

  async function takeAll(): Promise<void> {
    for (let step = steps.pop(); step !== undefined; step = steps.pop())
      try {
        await step()
      } catch (error) {
        console.error('could not clean up:', error)
      }
  }

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => {
      console.error(`\n${signal}: stopping what was started …`)
      void all().then(() => process.exit(code))
    })
  return { push: (step) => steps.push(step), all }
}
