/** Processes that the measurement starts and ends. */
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { isTaken } from '../../../dev/ports.ts'

/** Waits until a server listens on its port; `ifAbsent` is the advice if there is no such program. */
export async function untilListens(child: ChildProcess, port: number, ifAbsent: string): Promise<void> {
  let failure: Error | undefined
  child.once('error', () => (failure = new Error(ifAbsent)))
  child.once('exit', (code) => (failure ??= new Error(`${child.spawnfile} ended with ${code}`)))
  for (let waitedMs = 0; waitedMs < 10_000; waitedMs += 50) {
    if (failure !== undefined) throw failure
    if (await isTaken(port)) return
    await sleep(50)
  }
  throw new Error(`${child.spawnfile} does not listen after 10 s`)
}

export async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(timer)
}

export interface Assistant {
  pid: number
  /** Sends a message and waits for the answer; one at a time. */
  ask: <Answer>(message: object) => Promise<Answer>
  stop: () => Promise<void>
}

/** A Node process of our own that answers each message with one; its first says that it is ready. */
export async function startAssistant(
  file: URL,
  settings: object,
  execArgv: string[] = [],
): Promise<Assistant> {
  const child = fork(file, [JSON.stringify(settings)], { execArgv, serialization: 'advanced' })
  process.once('exit', () => child.kill('SIGKILL'))
  const answer = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`${file.pathname} ended with ${code}`))
      child.once('exit', ended)
      child.once('message', (message) => {
        child.off('exit', ended)
        resolve(message as T)
      })
    })
  await answer()
  if (child.pid === undefined) throw new Error(`${file.pathname} did not start`)
  return {
    pid: child.pid,
    async ask<Answer>(message: object) {
      const answered = answer<Answer>()
      child.send(message)
      return answered
    },
    stop: () => endChild(child, 'SIGTERM'),
  }
}
