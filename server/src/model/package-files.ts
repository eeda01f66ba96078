/** Files of the server's package: the folder `server/` in a clone, and `hookline-server/` as built. */
import { findPackageJSON } from 'node:module'
import { pathToFileURL } from 'node:url'

/** The built package has JavaScript, a clone has TypeScript. */
export const isBuilt = import.meta.url.endsWith('.js')

const manifest = findPackageJSON('.', import.meta.url)
if (manifest === undefined) throw new Error(`no package.json above ${import.meta.url}`)
const manifestUrl = pathToFileURL(manifest)

export function packageFile(path: string): URL {
  return new URL(path, manifestUrl)
}

/** Returns an entry point for a thread or a child process, by its path in the sources without extension. */
export function entryPoint(path: string): URL {
  return packageFile(isBuilt ? `dist/${path}.js` : `src/${path}.ts`)
}
