/**
 * Runs jobs that may crash their process in a child process. The parent survives and sees how the child ended. A
 * crash (out of memory, an uncaught exception, a fault in native code, too much CPU time) is caused by the job. A
 * signal from outside, a failed start or a timeout says nothing about the job.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Sent to the process after the setup. */
export interface JobMessage {
  id: number
  kind: string
  job: unknown
}

/** Sent by the process: once when ready, then for each job. */
export type RunnerMessage =
  | { state: 'ready' }
  | { state: 'done'; id: number; result: unknown }
  | { state: 'failed'; id: number; error: string }

export type JobEnd =
  | { state: 'done'; result: unknown }
  /** The job threw. */
  | { state: 'failed'; cause: string }
  /** The process crashed while it ran this job. */
  | { state: 'crashed'; cause: string }
  /** Unknown: the process was killed from outside, did not start or did not reply. */
  | { state: 'unknown' }

export interface RunnerOptions {
  entry: URL
  /** The first message. */
  setup: unknown
}

export interface Runner {
  run: (kind: string, job: unknown) => Promise<JobEnd>
  isAlive: () => boolean
  /** Number of unfinished jobs. */
  pending: () => number
  /** Number of jobs sent so far. */
  jobs: () => number
  stop: () => void
}

/** Several times the need of the largest jobs together. */
const maxHeapMb = 512
const startTimeoutMs = 30_000
/** Longer than the longest deadline of an attempt. The process itself limits the CPU time of a job. */
const jobTimeoutMs = 40_000

/** Signals that mean a crash, not a kill from outside. */
const crashSignals: Readonly<Record<string, string>> = {
  SIGABRT: 'ran out of memory or aborted',
  SIGXCPU: 'used too much CPU time',
  SIGSEGV: 'crashed in native code',
  SIGBUS: 'crashed in native code',
  SIGILL: 'crashed in native code',
  SIGTRAP: 'crashed in native code',
  SIGFPE: 'crashed in native code',
}

/** Passes on only variables that Node and OpenSSL read. The service's settings contain secrets that no job needs. */
function runtimeEnvironment(): NodeJS.ProcessEnv {
  const isRuntimeVariable = /^(NODE_\w+|SSL_CERT_\w+|PATH|TZ|LANG|LC_\w+)$/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isRuntimeVariable.test(name)))
}

export function startRunner({ entry, setup }: RunnerOptions): Promise<Runner> {
  const child = fork(fileURLToPath(entry), {
    execArgv: [...process.execArgv, `--max-old-space-size=${maxHeapMb}`],
    serialization: 'advanced',
    env: runtimeEnvironment(),
    // The output of a crash may contain event data.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const pending = new Map<number, (end: JobEnd) => void>()
  let nextId = 1
  let isAlive = true

  function end(id: number, jobEnd: JobEnd): void {
    pending.get(id)?.(jobEnd)
    pending.delete(id)
  }

  function endAll(jobEnd: JobEnd): void {
    isAlive = false
    for (const id of pending.keys()) end(id, jobEnd)
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
        pending.set(id, (jobEnd) => {
          clearTimeout(timer)
          resolve(jobEnd)
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
    const cause = crashSignals[signal]
    return cause === undefined ? { state: 'unknown' } : { state: 'crashed', cause }
  }
  return code === 0 || code === null
    ? { state: 'unknown' }
    : { state: 'crashed', cause: `ended with exit code ${code}` }
}

function whenReady(child: ChildProcess, setup: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail('did not start in time'), startTimeoutMs)
    const fail = (problem: string): void => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`isolated process ${problem}`))
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
