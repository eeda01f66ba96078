/** Runs inside an isolated process: serves jobs of the parent process and exits with it. */
import type { JobMessage, RunnerMessage } from './runner.ts'
import { limitCpu } from './limit-cpu.ts'

export type Handlers = Record<string, (job: unknown) => unknown>

/** `create` builds the handlers from the first message. */
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
    // Only the name: a message may contain event data.
    reply({ state: 'failed', id, error: error instanceof Error ? error.name : typeof error })
  }
}

function reply(message: RunnerMessage): void {
  process.send?.(message)
}
