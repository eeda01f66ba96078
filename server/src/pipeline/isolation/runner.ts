/**
 * A process of its own for jobs that may end the process that runs them. Whoever started it stays alive and sees how it
 * ended. A crash (out of memory, an uncaught exception, a fault in native code, too much CPU time) is the job's own doing;
 * a signal from outside, a start that fails or a job that gets no answer says nothing about the job.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Sent to the process. The first message is the setup, the others are jobs. */
export interface JobMessage {
  id: number
  kind: string
  job: unknown
}

/** Sent back: once when it is ready, then for each job. */
export type RunnerMessage =
  | { state: 'ready' }
  | { state: 'done'; id: number; result: unknown }
  | { state: 'failed'; id: number; error: string }

export type JobEnd =
  | { state: 'done'; result: unknown }
  /** It threw. */
  | { state: 'failed'; cause: string }
  /** The process ended by itself while it had this job. */
  | { state: 'crashed'; cause: string }
  /** Not known: the process was ended from outside, did not start, or did not answer. */
  | { state: 'unknown' }

export interface RunnerOptions {
  entry: URL
  /** The first message. */
  setup: unknown
}

export interface Runner {
  run: (kind: string, job: unknown) => Promise<JobEnd>
  isAlive: () => boolean
  /** Jobs that have not ended. */
  pending: () => number
  /** Jobs that it was given in all. */
  jobs: () => number
  stop: () => void
}

/** Several times what the largest jobs need together. */
const maxHeapMb = 512
const startTimeoutMs = 30_000
/** Longer than the longest deadline of an attempt; the CPU time of a job is bounded by the process itself. */
const jobTimeoutMs = 40_000

/** Signals that a process gets for what it did itself. */
const ownSignals: Readonly<Record<string, string>> = {
  SIGABRT: 'ran out of memory or aborted',
  SIGXCPU: 'used too much CPU time',
  SIGSEGV: 'crashed in native code',
  SIGBUS: 'crashed in native code',
  SIGILL: 'crashed in native code',
  SIGTRAP: 'crashed in native code',
  SIGFPE: 'crashed in native code',
}

/** What Node and OpenSSL read themselves. The settings of the service hold secrets that no job needs. */
function runtimeEnvironment(): NodeJS.ProcessEnv {
  const isOfRuntime = /^(NODE_\w+|SSL_CERT_\w+|PATH|TZ|LANG|LC_\w+)$/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isOfRuntime.test(name)))
}

export function startRunner({ entry, setup }: RunnerOptions): Promise<Runner> {
  const child = fork(fileURLToPath(entry), {
    execArgv: [...process.execArgv, `--max-old-space-size=${maxHeapMb}`],
    serialization: 'advanced',
    env: runtimeEnvironment(),
    // What a crash prints may hold data of customers.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const pending = new Map<number, (end: JobEnd) => void>()
  let nextId = 1
  let isAlive = true

  function end(id: number, how: JobEnd): void {
    pending.get(id)?.(how)
    pending.delete(id)
  }

  function endAll(how: JobEnd): void {
    isAlive = false
    for (const id of pending.keys()) end(id, how)
  }

  child.on('message', (message: RunnerMessage) => {
    if (message.state === 'done') end(message.id, { state: 'done', result: message.result })
    else if (message.state === 'failed') end(message.id, { state: 'failed', cause: `threw ${message.error}` })
  })
  child.on('error', () => endAll({ state: 'unknown' }))
  child.on('exit', (code, signal) => endAll(endOf(code, signal)))

  const runner: Runner = {
    isAlive: () => isAlive,
    pending: () => pending.size,
    jobs: () => nextId - 1,
    run: (kind, job) =>
      new Promise((resolve) => {
        if (!isAlive) return resolve({ state: 'unknown' })
        const id = nextId++
        const timer = setTimeout(() => {
          end(id, { state: 'unknown' })
          child.kill('SIGKILL')
        }, jobTimeoutMs)
        pending.set(id, (how) => {
          clearTimeout(timer)
          resolve(how)
        })
        child.send({ id, kind, job } satisfies JobMessage, (error) => {
          if (error) end(id, { state: 'unknown' })
        })
      }),
    stop: () => void child.kill('SIGKILL'),
  }
  return whenReady(child, setup).then(() => runner)
}

function endOf(code: number | null, signal: string | null): JobEnd {
  if (signal !== null) {
    const cause = ownSignals[signal]
    return cause === undefined ? { state: 'unknown' } : { state: 'crashed', cause }
  }
  return code === 0 || code === null
    ? { state: 'unknown' }
    : { state: 'crashed', cause: `ended with exit code ${code}` }
}

function whenReady(child: ChildProcess, setup: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail('did not start in time'), startTimeoutMs)
    const fail = (what: string): void => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`the isolated process ${what}`))
    }
    child.once('message', () => {
      clearTimeout(timer)
      resolve()
    })
    child.once('error', () => fail('could not be started'))
    child.once('exit', () => fail('ended while it started'))
    child.send(setup as object, () => {})
  })
}
