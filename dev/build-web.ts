/**
 * `npm run build:dashboard`: builds the dashboard for the server of this clone. With `--if-stale`, builds only if a source file is newer than the
 * last build.
 */
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isStale } from './is-stale.ts'
import { viteBuild } from './vite-build.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = [
  'web/index.html',
  'web/*.{ts,json}',
  'web/src/**/*',
  'sdk/src/**/*',
  'docs/*.md',
  'docs/examples/**/*',
  'package-lock.json',
]

/** Returns false if the build is up to date. */
export async function buildWebIfStale(): Promise<boolean> {
  const isNeeded = await isStale('server/dashboard/index.html', sources)
  if (isNeeded) await buildWeb()
  return isNeeded
}

/** Builds the dashboard into a folder. The default is the folder that the server of this clone serves. */
export async function buildWeb(folder = `${root}server/dashboard`): Promise<void> {
  await viteBuild('web', folder)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const isBestEffort = process.argv.includes('--if-stale')
  const build = isBestEffort ? buildWebIfStale() : buildWeb().then(() => true)
  const isBuilt = await build.catch((error: unknown) => {
    // `npm start` must not depend on build tools. Without a build, the service explains how to create one.
    if (!isBestEffort) throw error
    console.error('Dashboard build failed. Run `npm run build:dashboard` to see the error.')
    return false
  })
  if (isBuilt) console.log('Dashboard built: server/dashboard')
}
