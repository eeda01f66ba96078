/** Makes a newer version of a Debian package. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Writes a copy of the package with a higher version to the folder, and returns its path. */
export async function raiseVersion(deb: string, folder: string): Promise<string> {
  const content = join(folder, 'content')
  await run('dpkg-deb', ['--raw-extract', deb, content])
  const controlFile = join(content, 'DEBIAN/control')
  const control = await readFile(controlFile, 'utf8')
  await writeFile(controlFile, control.replace(/^Version: .*/m, '$&+1'))
  const newer = join(folder, 'newer.deb')
  await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', content, newer])
  return newer
}
