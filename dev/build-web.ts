/** `npm run build`: builds the developer area. With `--if-stale` only where it was not built from what is there now. */
import { execFile } from 'node:child_process'
import { glob, stat } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const built = 'web/dist/index.html'
const sources = ['web/index.html', 'web/*.{ts,json}', 'web/src/**/*', 'sdk/src/**/*', 'package-lock.json']

/** False: what is built is up to date. */
export async function buildWebIfStale(): Promise<boolean> {
  const builtAt = await changedAt(built)
  for (const pattern of sources)
    for await (const file of glob(pattern, { cwd: root }))
      if ((await changedAt(file)) > builtAt) {
        await buildWeb()
        return true
      }
  return false
}

async function buildWeb(): Promise<void> {
  // Whoever builds it, a test too, gets what people get.
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)('vite', ['build', '--logLevel', 'warn'], { cwd: `${root}web`, env })
}

async function changedAt(path: string): Promise<number> {
  const found = await stat(`${root}${path}`).catch(() => undefined)
  return found?.mtimeMs ?? 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const isBuilt = process.argv.includes('--if-stale') ? await buildWebIfStale() : (await buildWeb(), true)
  if (isBuilt) console.log('The developer area is built: web/dist')
}
