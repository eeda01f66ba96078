/** Installs the production package for the container image and the Debian package. */
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createSbom } from './sbom.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const nodeBinary = `${root}node_modules/node-linux-${process.arch}/bin/node`
const run = promisify(execFile)

/** Time of all files, in seconds, so that two builds are equal. */
export const epoch = '1700000000'

interface Tree {
  /** Folder of the package with its pinned dependencies. */
  app: string
  /** Path of the Node.js binary. */
  node: string
  /** Paths of the software bill of materials. */
  sboms: readonly string[]
}

/** Installs the built package from its folder. */
export async function installTree(folder: string, { app, node, sboms }: Tree): Promise<void> {
  await cp(folder, app, { recursive: true })
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  await run('npm', ['ci', ...flags], { cwd: app })
  await mkdir(dirname(node), { recursive: true })
  await cp(nodeBinary, node, { dereference: true })
  await chmod(node, 0o755)
  const text = await createSbom()
  for (const path of sboms) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}
