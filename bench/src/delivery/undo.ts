/** What has been started is undone in reverse, once, however the measurement ends. */
export interface Undo {
  push: (step: () => unknown) => void
  all: () => Promise<void>
}

export function createUndo(): Undo {
  const steps: Array<() => unknown> = []
  let undoing: Promise<void> | undefined

  async function undoAll(): Promise<void> {
    for (let step = steps.pop(); step !== undefined; step = steps.pop())
      try {
        await step()
      } catch (error) {
        console.error('could not clean up:', error)
      }
  }

  const all = (): Promise<void> => (undoing ??= undoAll())
  // PostgreSQL does not die with us.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void all().then(() => process.exit(1)))
  return { push: (step) => void steps.push(step), all }
}
