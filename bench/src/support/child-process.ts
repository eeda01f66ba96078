/** Starts and stops child processes. */
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPortInUse } from '../../../dev/ports.ts'

/** Waits until a server listens on its port. Throws `missingProgramHint` if the program is not installed. */
export async function waitForPort(
  child: ChildProcess,
  port: number,
  missingProgramHint: string,
): Promise<void> {
  let failure: Error | undefined
  child.once('error', () => (failure = new Error(missingProgramHint)))
  child.once('exit', (code) => (failure ??= new Error(`${child.spawnfile} exited with code ${code}`)))
  for (let waitedMs = 0; waitedMs < 10_000; waitedMs += 50) {
    if (failure !== undefined) throw failure
    if (await isPortInUse(port)) return
    await sleep(50)
  }
  throw new Error(`${child.spawnfile} did not listen within 10 s`)
}

export async function stopChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(timer)
}

export interface Child {
  pid: number
  /** Sends a message and waits for the response. Only one request may be pending. */
  request: <Response>(message: object) => Promise<Response>
  stop: () => Promise<void>
}

/** Starts a Node.js process that responds to each message with one message. Its first message signals readiness. */
export async function startChild(file: URL, settings: object, execArgv: string[] = []): Promise<Child> {
  const child = fork(file, [JSON.stringify(settings)], { execArgv, serialization: 'advanced' })
  process.once('exit', () => child.kill('SIGKILL'))
  const response = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      const ended = (code: number | null): void =>
        reject(new Error(`${file.pathname} exited with code ${code}`))
      child.once('exit', ended)
      child.once('message', (message) => {
        child.off('exit', ended)
        resolve(message as T)
      })
    })
  await response()
  if (child.pid === undefined) throw new Error(`${file.pathname} did not start`)
  return {
    pid: child.pid,
    async request<Response>(message: object) {
      const responsePromise = response<Response>()
      child.send(message)
      return responsePromise
    },
    stop: () => stopChild(child, 'SIGTERM'),
  }
}
