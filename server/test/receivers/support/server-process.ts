/** Starts servers of other projects in the foreground and stops them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPortInUse } from '../../../../dev/ports.ts'

export interface ServerProcess {
  stop: () => Promise<void>
}

/** Waits until the server listens on the port or the socket. */
export async function startServer(
  command: string,
  args: readonly string[],
  listensOn: number | string,
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = spawn(command, args, {
    env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/usr/bin`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a process group of its own: when Apache stops, it terminates its whole group.
    detached: true,
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed = `${printed}${chunk.toString()}`.slice(-10_000)))
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', (error) => {
      printed += error.message
      resolve()
    })
  })
  const endsAt = performance.now() + 30_000
  while (!(await isListening(listensOn))) {
    if (isOver(child) || performance.now() > endsAt) {
      kill()
      throw new Error(`${command} did not start:\n${printed}`)
    }
    await sleep(20)
  }
  return {
    async stop() {
      process.off('exit', kill)
      child.kill('SIGTERM')
      await ended
    },
  }
}

function isOver(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

async function isListening(on: number | string): Promise<boolean> {
  return typeof on === 'number' ? isPortInUse(on) : existsSync(on)
}
