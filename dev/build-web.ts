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
  const isOptional = process.argv.includes('--if-stale')
  const build = isOptional ? buildWebIfStale() : buildWeb().then(() => true)
  const isBuilt = await build.catch((error: unknown) => {
    // A start must not depend on tools for building: it serves what is there, or says how to build it.
    if (!isOptional) throw error
    console.error('The developer area could not be built; `npm run build` says why.')
    return false
  })
  if (isBuilt) console.log('The developer area is built: web/dist')
}
