/** A dedicated NATS server that a test can kill, wipe, pause and restart on the same port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, isPortInUse } from '../../../../dev/ports.ts'

export interface NatsServer {
  url: string
  port: number
  /** Resolves when the server listens. Does nothing if it already runs. */
  start: (options?: { jetstream: boolean }) => Promise<void>
  /** Resolves when the process has exited. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  /** A paused server keeps its connections and accepts new ones, but sends nothing. */
  pause: () => void
  resume: () => void
  /** Deletes the data on disk. */
  wipe: () => Promise<void>
  close: () => Promise<void>
}

/** Creates the server without starting it. */
export async function createNatsServer(): Promise<NatsServer> {
  const port = await freePort()
  const folder = await mkdtemp(`${tmpdir()}/hookline-test-nats-`)
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
    async start({ jetstream } = { jetstream: true }) {
      if (child !== undefined) return
      const args = ['--addr', '127.0.0.1', '--port', String(port), '--store_dir', folder]
      const started = spawn('nats-server', jetstream ? [...args, '--jetstream'] : args, { stdio: 'ignore' })
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
    wipe: () => rm(folder, { recursive: true, force: true }),
    async close() {
      await end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
