import { readFile } from 'node:fs/promises'
import { packageFile } from '../model/package-files.ts'

/** Returns the version of this package. */
export async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(packageFile('package.json'), 'utf8'))
  return version
}
