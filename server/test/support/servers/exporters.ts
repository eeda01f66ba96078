/** Starts the exporters of Prometheus for machines and for PostgreSQL, on loopback. */
import { type ChildProcess, spawn } from 'node:child_process'
import { freePort, isPortInUse } from '../../../../dev/ports.ts'

export interface Exporter {
  url: string
  stop: () => Promise<void>
}

export function startNodeExporter(): Promise<Exporter> {
  return start('prometheus-node-exporter', {})
}

export function startPostgresExporter(database: URL): Promise<Exporter> {
  const source = new URL(database)
  source.searchParams.set('sslmode', 'disable')
  return start('prometheus-postgres-exporter', { DATA_SOURCE_NAME: source.href })
}

async function start(program: string, env: Record<string, string>): Promise<Exporter> {
  const port = await freePort()
  const child = spawn(program, [`--web.listen-address=127.0.0.1:${port}`], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'ignore',
  })
  const stop = (): Promise<void> => stopChild(child)
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${program} exited with code ${code}`)))
  })
  failed.catch(() => {})
  const endsAt = performance.now() + 20_000
  while (!(await Promise.race([isPortInUse(port), failed])))
    if (performance.now() > endsAt) throw new Error(`${program} did not listen within 20 s`)
  return { url: `http://127.0.0.1:${port}`, stop }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill()
  await ended
}
