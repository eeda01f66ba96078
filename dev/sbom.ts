/** The software bill of materials: all packages of the server and of the dashboard, bundled or installed. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

/** Returns the text of a CycloneDX file, from the lockfile. */
export async function createSbom(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'hookline-sbom-'))
  // npm names the package by its folder.
  const folder = join(parent, 'hookline-server')
  try {
    await mkdir(folder)
    const [server, web] = [await readManifest('server'), await readManifest('web')]
    const { '@hookline/client': _own, ...dependencies } = { ...server.dependencies, ...web.dependencies }
    const manifest = {
      name: 'hookline-server',
      version: server.version,
      license: server.license,
      dependencies,
    }
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
    await pruneLockfile(folder)
    const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
    const { stdout } = await run('npm', args, { cwd: folder, maxBuffer: 1e8 })
    // npm adds a random id and the time, which would make every build different.
    const { serialNumber: _id, metadata, ...sbom } = JSON.parse(stdout)
    const { timestamp: _time, ...stableMetadata } = metadata
    return `${JSON.stringify({ ...sbom, metadata: stableMetadata }, null, 2)}\n`
  } finally {
    await rm(parent, { recursive: true })
  }
}

/** npm removes what the package does not need from the lockfile of the workspace, and changes no version. */
export async function pruneLockfile(folder: string): Promise<void> {
  await cp(`${root}package-lock.json`, join(folder, 'package-lock.json'))
  await run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--prefer-offline'], {
    cwd: folder,
  })
}

interface Manifest {
  version: string
  license: string
  dependencies: Record<string, string>
}

async function readManifest(workspace: string): Promise<Manifest> {
  return JSON.parse(await readFile(`${root}${workspace}/package.json`, 'utf8'))
}
