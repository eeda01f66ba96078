/**
 * `npm run build:cli`: builds the command line tool in `dist/hookline-cli/` and packs it, as one file without
 * dependencies.
 */
import { chmod } from 'node:fs/promises'
import { relative } from 'node:path'
import { packWorkspace } from './pack-workspace.ts'
import { viteBuild } from './vite-build.ts'

const file = await packWorkspace('cli', async (folder) => {
  await viteBuild('cli', `${folder}dist`)
  await chmod(`${folder}dist/hookline.js`, 0o755)
  return { bin: { hookline: 'dist/hookline.js' } }
})
console.log(`npm install -g ${relative('.', file)}`)
