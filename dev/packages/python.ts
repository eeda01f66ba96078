import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Builds the wheel of the receiver library for Python. Needs the packages build, setuptools and wheel (on Debian:
 * python3-build, python3-setuptools, python3-wheel).
 */
export async function buildPython(output: string): Promise<string> {
  // Setuptools writes beside the sources.
  const copy = await mkdtemp(join(tmpdir(), 'hookline-python-'))
  try {
    await cp(join(root, 'receivers/python'), copy, { recursive: true })
    await cp(join(root, 'LICENSE'), join(copy, 'LICENSE'))
    // The time of the files in the wheel: zip archives begin in 1980.
    const env = { ...process.env, SOURCE_DATE_EPOCH: '315532800' }
    const args = ['-m', 'build', '--wheel', '--no-isolation']
    await promisify(execFile)('/usr/bin/python3', args, { cwd: copy, env })
    const [wheel = ''] = await readdir(join(copy, 'dist'))
    await mkdir(output, { recursive: true })
    await cp(join(copy, 'dist', wheel), join(output, wheel))
    return join(output, wheel)
  } finally {
    await rm(copy, { recursive: true })
  }
}
