/** A dedicated NATS server that a test can kill, pause and restart on the same port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, isPortInUse } from '../../../../dev/ports.ts'

export interface NatsServer {
  url: string
  port: number
  /** Resolves when the server listens. Does nothing if it already runs. */
  start: () => Promise<void>
  /** Resolves when the process has exited. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  /** A paused server keeps its connections and accepts new ones, but sends nothing. */
  pause: () => void
  resume: () => void
  close: () => Promise<void>
}

/** Creates the server without starting it. */
export async function createNatsServer(): Promise<NatsServer> {
  const port = await freePort()
  let child: ChildProcess | undefined
  let ended: Promise<unknown> = Promise.resolve()
  // The test may crash before it stops the server.
  process.once('exit', () => child?.kill('SIGKILL'))

  async function end(signal: NodeJS.Signals): Promise<void> {
    child?.kill(signal)
    await ended
    child = undefined
  }

  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    async start() {
      if (child !== undefined) return
      const args = ['--addr', '127.0.0.1', '--port', String(port)]
      const started = spawn('nats-server', args, { stdio: 'ignore' })
      child = started
      ended = new Promise((resolve) => started.once('exit', resolve))
      while (!(await isPortInUse(port))) {
        if (started.exitCode !== null) throw new Error(`nats-server ended with ${started.exitCode}`)
        await sleep(20)
      }
    },
    end,
    pause: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
    close: () => end('SIGKILL'),
  }
}
