/** The inside of an isolated process: takes jobs from the process that started it, and ends with it. */
import type { JobMessage, RunnerMessage } from './runner.ts'
import { limitCpu } from './limit-cpu.ts'

export type Handlers = Record<string, (job: unknown) => unknown>

/** `create` makes the handlers from the first message. */
export function serveJobs(create: (setup: unknown) => Handlers): void {
  process.on('disconnect', () => process.exit(0))
  process.once('message', (setup) => {
    const handlers = create(setup)
    limitCpu()
    process.on('message', (message) => void serve(handlers, message as JobMessage))
    reply({ state: 'ready' })
  })
}

async function serve(handlers: Handlers, { id, kind, job }: JobMessage): Promise<void> {
  try {
    reply({ state: 'done', id, result: await handlers[kind]?.(job) })
  } catch (error) {
    // Its name alone: a message may hold data of customers.
    reply({ state: 'failed', id, error: error instanceof Error ? error.name : typeof error })
  }
}

function reply(message: RunnerMessage): void {
  process.send?.(message)
}
