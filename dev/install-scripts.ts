/** Packages with install scripts run code on every machine that installs them, so each needs a decision. */
import type { Lockfile } from './licenses.ts'

/** Returns packages with an install script that `allowScripts` in package.json neither allows nor denies. */
export function findInstallScripts({ packages }: Lockfile, allowScripts: Record<string, boolean>): string[] {
  return Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    .filter((name) => !Object.hasOwn(allowScripts, name))
    .map((name) => `${name} has an install script: remove it, or deny it with \`npm install-scripts deny\``)
}
