/** Runs cleanup steps in reverse order when a benchmark or proof ends, also on SIGINT and SIGTERM. */
export interface Cleanup {
  push: (step: () => unknown) => void
  /** Runs all steps. A step that fails does not prevent the others. */
  run: () => Promise<void>
}

export function createCleanup(): Cleanup {
  const steps: Array<() => unknown> = []
  let running: Promise<void> = Promise.resolve()
  const run = (): Promise<void> => (running = running.then(runSteps))

  async function runSteps(): Promise<void> {
    for (let step = steps.pop(); step !== undefined; step = steps.pop())
      try {
        await step()
      } catch (error) {
        console.error('cleanup step failed:', error)
      }
  }

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => {
      console.error(`\n${signal}: cleaning up …`)
      void run().then(() => process.exit(code))
    })
  return { push: (step) => steps.push(step), run }
}
