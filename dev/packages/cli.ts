import { chmod } from 'node:fs/promises'
import { viteBuild } from '../vite-build.ts'
import { packWorkspace } from './pack-workspace.ts'

/** Packs the command line tool as one file without dependencies. */
export async function buildCli(output: string): Promise<string> {
  return packWorkspace('cli', output, async (folder) => {
    await viteBuild('cli', `${folder}dist`)
    await chmod(`${folder}dist/hookline.js`, 0o755)
    return { bin: { hookline: 'dist/hookline.js' } }
  })
}
