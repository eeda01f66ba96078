/**
 * `npm run prove -- package`: builds the production package twice, in two folders, and compares the bytes. Installs it
 * without development packages in an empty folder, and delivers an event with it. Measures its size, the time until the
 * service is ready, and its memory at rest.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { baseEnv } from '../../../dev/base-env.ts'
import { freePort } from '../../../dev/ports.ts'
import { git } from '../../../dev/git.ts'
import { startReceiver } from '../../../dev/receiver.ts'
import { type ServiceProcess, startProcess } from '../../../dev/service-process.ts'
import { startServices } from '../../../dev/services.ts'
import { createCleanup } from '../support/cleanup.ts'
import { createEmptyDatabase } from '../support/database.ts'
import { percentile } from '../support/load.ts'
import { readRssMb } from '../support/resident-memory.ts'
import { buildArtifact } from './build-twice.ts'
import { linkModules } from './link-modules.ts'
import { tryOut, waitUntilReady } from './try-out.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)
const starts = 5
const maxStartMs = 2_000
const restMs = 5_000

export async function provePackage(): Promise<void> {
  const cleanup = createCleanup()
  try {
    const folder = await mkdtemp(join(tmpdir(), 'hookline-package-'))
    cleanup.push(() => rm(folder, { recursive: true }))
    const tarball = await buildArtifact('build')
    await compareWithBuildElsewhere(tarball, join(folder, 'copy'))
    const cli = await install(tarball, join(folder, 'installed'))

    const { DATABASE_URL } = await startServices(console.log)
    const { url, drop } = await createEmptyDatabase(DATABASE_URL, 'hookline_prove_package')
    cleanup.push(drop)
    const masterKeyFile = join(folder, 'master-key')
    await writeFile(masterKeyFile, `${randomBytes(32).toString('base64')}\n`)
    const env = {
      DATABASE_URL: url.href,
      MASTER_KEY_FILE: masterKeyFile,
      ALLOW_PRIVATE_TARGETS: 'true',
      INTERNAL_PORT: String(await freePort()),
      // Operators have no compile cache.
      NODE_DISABLE_COMPILE_CACHE: '1',
    }
    const command = async (...args: readonly string[]): Promise<string> =>
      (await run(process.execPath, [cli, ...args], { env: { ...baseEnv, ...env } })).stdout
    await command('migrate')
    const startTimes: number[] = []
    for (let start = 0; start < starts; start++) {
      const { service, ms } = await startPackage(env, cli)
      startTimes.push(ms)
      await service.stop()
    }
    startTimes.sort((a, b) => a - b)
    console.log(`ready after ${percentile(startTimes, 0.5).toFixed(0)} ms (median of ${starts} starts)`)
    // Other load on the machine only adds time, so the second-best start is close to that of the package itself.
    if ((startTimes[1] ?? Infinity) > maxStartMs)
      throw new Error(`started in ${startTimes.map(Math.round).join(', ')} ms, the limit is ${maxStartMs}`)

    const { service } = await startPackage(env, cli)
    cleanup.push(() => service.stop())
    await sleep(restMs)
    console.log(`memory at rest: ${readRssMb(service.child.pid)?.toFixed(0)} MB`)
    const receiver = await startReceiver()
    cleanup.push(() => receiver.close())
    await tryOut({ admin: (args) => command('admin', ...args), ...service }, receiver)
    await command('health')
    console.log(`version ${(await command('--version')).trim()} delivered an event`)
    console.log('\npackage: passed')
  } finally {
    await cleanup.run()
  }
}

async function startPackage(
  env: Record<string, string>,
  cli: string,
): Promise<{ service: ServiceProcess; ms: number }> {
  const startedAt = performance.now()
  const service = await startProcess(env, 'all', undefined, cli)
  await waitUntilReady(service.internalUrl)
  return { service, ms: performance.now() - startedAt }
}

/** Absolute paths, times or the order of files in a folder would make a difference. */
async function compareWithBuildElsewhere(tarball: string, folder: string): Promise<void> {
  const files = await git('ls-files', '-z', '--cached', '--others', '--exclude-standard')
  for (const file of files.split('\0').filter((name) => name !== ''))
    await cp(join(root, file), join(folder, file))
  await linkModules(folder)
  const [first, second] = [await readFile(tarball), await readFile(await buildArtifact('build', folder))]
  if (!first.equals(second)) throw new Error('two builds of the same sources have different bytes')
  console.log(`package: ${megabytes(first.length)} MB, two builds have the same bytes`)
}

/** Installs the versions that the shrinkwrap file pins, and returns the path of the command. */
async function install(tarball: string, folder: string): Promise<string> {
  await mkdir(folder)
  await run('tar', ['xzf', tarball, '--directory', folder, '--strip-components=1'])
  await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  const { stdout } = await run('du', ['-sb', folder])
  console.log(`installed with its dependencies: ${megabytes(Number.parseInt(stdout, 10))} MB`)
  return join(folder, 'dist/cli.js')
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
