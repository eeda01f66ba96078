import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Packs a package into the folder `output`. Returns the file that `npm install` takes. */
export async function pack(folder: string, output: string): Promise<string> {
  const args = ['pack', '--json', '--pack-destination', output]
  const { stdout } = await promisify(execFile)('npm', args, { cwd: folder })
  const [{ filename }] = JSON.parse(stdout)
  return `${output}${filename}`
}
