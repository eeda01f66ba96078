/** A NATS server of the test's own, to be killed, wiped, held and started again on the same port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, isTaken } from '../../dev/ports.ts'

export interface NatsServer {
  url: string
  port: number
  /** Resolves when it listens. What runs already is left alone. */
  start: (options?: { jetstream: boolean }) => Promise<void>
  /** Resolves when the process is gone. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  /** A held server keeps its connections, takes new ones and answers nobody. */
  hold: () => void
  goOn: () => void
  /** Forgets what it has kept on disk. */
  wipe: () => Promise<void>
  close: () => Promise<void>
}

/** Not started yet. */
export async function createNatsServer(): Promise<NatsServer> {
  const port = await freePort()
  const folder = await mkdtemp(`${tmpdir()}/hookline-test-nats-`)
  let child: ChildProcess | undefined
  let ended: Promise<unknown> = Promise.resolve()
  // Whoever started it may break down before it comes to ending it.
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
      while (!(await isTaken(port))) {
        if (started.exitCode !== null) throw new Error(`nats-server ended with ${started.exitCode}`)
        await sleep(20)
      }
    },
    end,
    hold: () => child?.kill('SIGSTOP'),
    goOn: () => child?.kill('SIGCONT'),
    wipe: () => rm(folder, { recursive: true, force: true }),
    async close() {
      await end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
