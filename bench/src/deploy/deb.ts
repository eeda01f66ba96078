/**
 * `npm run prove -- deb`: builds the Debian package twice and compares the bytes. Installs it in a Debian system with a
 * real systemd: migrates a database, starts an api and a worker, delivers events, also behind nginx, and upgrades,
 * removes and purges the package.
 */
import { randomBytes } from 'node:crypto'
import { appendFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, isPortInUse } from '../../../dev/ports.ts'
import { startReceiver } from '../../../dev/receiver.ts'
import { startServices } from '../../../dev/services.ts'
import { type Cleanup, createCleanup } from '../support/cleanup.ts'
import { createEmptyDatabase } from '../support/database.ts'
import { waitFor } from '../support/wait-for.ts'
import { buildTwice } from './build-twice.ts'
import { raiseVersion } from './deb-newer.ts'
import { checkBarrier, checkUnits } from './deb-units.ts'
import { listFiles, newFiles } from './file-list.ts'
import { createMachine, type Machine, type Run } from './machine.ts'
import { checkProxy, startProxy } from './proxy.ts'
import { tryOut, waitUntilReady } from './try-out.ts'

const credentials = ['database-url', 'master-key'].map((name) => `etc/hookline/credentials/${name}`)
const keptByPurge = ['etc/hookline', 'etc/hookline/credentials', ...credentials]

const graceSeconds = 45

export async function proveDeb(): Promise<void> {
  const cleanup = createCleanup()
  try {
    const machine = await createMachine(cleanup)
    const folder = await mkdtemp(join(tmpdir(), 'hookline-deb-'))
    cleanup.push(() => rm(folder, { recursive: true }))
    await cp(await buildTwice('deb'), join(folder, 'first.deb'))
    await cp(join(folder, 'first.deb'), join(machine.root, 'root/first.deb'))
    await cp(await raiseVersion(join(folder, 'first.deb'), folder), join(machine.root, 'root/newer.deb'))

    await installOffline(machine)
    const run = await machine.boot()
    const filesBefore = await listFiles(machine.root)
    await run('dpkg', '--install', '/root/first.deb')
    if (await isActive(run, 'hookline-api')) throw new Error('the package started without settings')
    const deployment = await configure(machine, cleanup)
    const { worker } = deployment
    await run('systemctl', 'enable', '--now', 'hookline.target', 'hookline-api', worker)
    await useDeployment(run, deployment, cleanup)
    await checkBarrier(machine, run)
    await restartKilled(run, deployment)
    await upgrade(run, deployment)
    await stop(run, deployment)
    await removeAndPurge(run, machine, filesBefore)
    console.log('\ndeb: passed')
  } finally {
    await cleanup.run()
  }
}

/** As when a system is built in a folder: systemd does not run. */
async function installOffline({ root, chroot }: Machine): Promise<void> {
  const before = await listFiles(root)
  await chroot('dpkg', '--install', '/root/first.deb')
  await chroot('dpkg', '--verify', 'hookline-server')
  console.log(await chroot('getent', 'passwd', 'hookline'))
  await checkUnits(chroot)
  await chroot('dpkg', '--purge', 'hookline-server')
  const left = await newFiles(root, before)
  if (left.length > 0) throw new Error(`files left after a purge: ${left.join(' ')}`)
}

interface Deployment {
  url: string
  internalUrl: string
  workerUrl: string
  /** Unit of the worker. */
  worker: string
  tls: { port: number; plainPort: number }
}

/** Writes settings and credentials as an operator does. */
async function configure({ root }: Machine, cleanup: Cleanup): Promise<Deployment> {
  const { DATABASE_URL } = await startServices(console.log)
  const { url: databaseUrl, drop } = await createEmptyDatabase(DATABASE_URL, 'hookline_prove_deb')
  cleanup.push(drop)
  const [port, internalPort] = [await freePort(), await freePort()]
  const tls = { port: await freePort(), plainPort: await freePort() }
  const settings = {
    PORT: port,
    INTERNAL_PORT: internalPort,
    BASE_URL: `https://localhost:${tls.port}`,
    TRUSTED_PROXIES: '127.0.0.1',
    ALLOW_PRIVATE_TARGETS: 'true',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  await appendFile(join(root, 'etc/hookline/hookline.env'), lines.join(''))
  const values = [databaseUrl.href, randomBytes(32).toString('base64')]
  for (const [index, path] of credentials.entries())
    await writeFile(join(root, path), `${values[index]}\n`, { mode: 0o600 })
  const instance = await freeInstance()
  return {
    url: `http://127.0.0.1:${port}`,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    workerUrl: `http://127.0.0.1:809${instance}`,
    worker: `hookline-worker@${instance}`,
    tls,
  }
}

async function freeInstance(): Promise<number> {
  for (let instance = 1; instance <= 9; instance++)
    if (!(await isPortInUse(Number(`809${instance}`)))) return instance
  throw new Error('ports 8091 to 8099 are in use')
}

async function useDeployment(run: Run, deployment: Deployment, cleanup: Cleanup): Promise<void> {
  await waitUntilServing(deployment)
  const receiver = await startReceiver()
  cleanup.push(() => receiver.close())
  const admin = (args: readonly string[]): Promise<string> => run('hookline-admin', ...args)
  const customer = await tryOut({ ...deployment, admin }, receiver)
  console.log('an api and a worker delivered an event')
  const proxy = await startProxy(deployment, cleanup)
  await checkProxy(proxy, {
    ...deployment,
    customer,
    readLog: () => run('journalctl', '--unit=hookline-api'),
  })
}

async function waitUntilServing({ internalUrl, workerUrl }: Deployment): Promise<void> {
  for (const listener of [internalUrl, workerUrl]) await waitUntilReady(listener)
}

async function restartKilled(run: Run, deployment: Deployment): Promise<void> {
  await run('systemctl', 'kill', '--signal=SIGKILL', deployment.worker)
  await waitFor('a restart', async () => (await show(run, deployment.worker, 'NRestarts')) === '1')
  await waitUntilServing(deployment)
  console.log('a killed worker was restarted')
}

/** The settings of the operator stay, the database is migrated again, and all processes are new ones. */
async function upgrade(run: Run, deployment: Deployment): Promise<void> {
  const readState = (): Promise<string[]> =>
    Promise.all([
      show(run, 'hookline-migrate', 'InvocationID'),
      show(run, 'hookline-api', 'MainPID'),
      show(run, deployment.worker, 'MainPID'),
    ])
  const before = await readState()
  await run('dpkg', '--install', '/root/newer.deb')
  const after = await readState()
  if (after.some((value) => value === '0' || before.includes(value)))
    throw new Error(`not restarted by the upgrade: ${before.join(' ')}, ${after.join(' ')}`)
  await waitUntilServing(deployment)
  console.log(`upgraded to ${await run('dpkg-query', '--show', 'hookline-server')}, all processes restarted`)
}

async function stop(run: Run, { worker }: Deployment): Promise<void> {
  const startedAt = performance.now()
  await run('systemctl', 'stop', 'hookline.target')
  for (const unit of ['hookline-api', worker]) {
    const isStopped = async (): Promise<boolean> => (await show(run, unit, 'ActiveState')) === 'inactive'
    await waitFor(`${unit} to stop`, isStopped, graceSeconds * 1_000)
    const result = await show(run, unit, 'Result', 'ExecMainStatus')
    if (result !== 'success 0') throw new Error(`${unit} stopped with: ${result}`)
  }
  console.log(`stopped within ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
  await run('systemctl', 'start', 'hookline.target')
}

async function removeAndPurge(run: Run, { root }: Machine, before: ReadonlySet<string>): Promise<void> {
  await run('dpkg', '--remove', 'hookline-server')
  if (await isActive(run, 'hookline-api')) throw new Error('the api runs without its package')
  const removed = await newFiles(root, before)
  if (!removed.includes('etc/hookline/hookline.env')) throw new Error('a removal deleted the settings')
  if (removed.some((path) => path.startsWith('usr/'))) throw new Error(`files left: ${removed.join(' ')}`)

  await run('dpkg', '--purge', 'hookline-server')
  const left = await newFiles(root, before)
  if (left.join() !== keptByPurge.toSorted().join())
    throw new Error(`files left after a purge: ${left.join(' ')}`)
  await run('getent', 'passwd', 'hookline')
  console.log('a purge leaves only the credentials and the user')
}

async function isActive(run: Run, unit: string): Promise<boolean> {
  return (await show(run, unit, 'ActiveState')) === 'active'
}

async function show(run: Run, unit: string, ...properties: readonly string[]): Promise<string> {
  const values = await Promise.all(
    properties.map((property) => run('systemctl', 'show', '--value', `--property=${property}`, unit)),
  )
  return values.join(' ')
}
