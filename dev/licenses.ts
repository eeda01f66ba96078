/** The packages that an installation contains, from the lockfile, and their licenses. */
interface LockedPackage {
  version?: string
  license?: string
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  /** The folder of a workspace. */
  resolved?: string
  link?: boolean
}

export interface Lockfile {
  packages: Record<string, LockedPackage>
}

interface ProductionPackage {
  name: string
  version: string
  license: string
}

/** Licenses that permit use, change and distribution on the condition of a notice, or without any. */
const allowedLicenses = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
])

/** Returns the dependencies of the server and of the dashboard, direct and indirect, sorted by name. */
export function productionPackages({ packages }: Lockfile): ProductionPackage[] {
  const found = new Map<string, ProductionPackage>()
  const visited = new Set<string>()
  const visit = (path: string): void => {
    if (visited.has(path)) return
    visited.add(path)
    const { dependencies, optionalDependencies } = packages[path] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const target = resolve(packages, path, name)
      if (target === undefined) continue
      const { version = '', license = 'none', link, resolved = '' } = packages[target] ?? {}
      if (link) visit(resolved)
      else {
        found.set(`${name} ${version}`, { name, version, license })
        visit(target)
      }
    }
  }
  visit('server')
  visit('web')
  return [...found.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Finds a dependency as Node.js does: in the closest folder of modules. Optional ones can be missing. */
function resolve(packages: Lockfile['packages'], from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (packages[path] !== undefined) return path
    if (folder === '') return undefined
  }
}

export function findLicenseProblems(lockfile: Lockfile): string[] {
  return productionPackages(lockfile)
    .filter(({ license }) => !isAllowed(license))
    .map(({ name, version, license }) => `${name}@${version}: the license ${license} is not allowed`)
}

/** An expression with AND is never allowed, because no dependency has one. */
function isAllowed(expression: string): boolean {
  return expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((license) => allowedLicenses.has(license))
}

export function licensesPage(lockfile: Lockfile): string {
  const rows = productionPackages(lockfile).map(
    ({ name, version, license }) => `| \`${name}\` | ${version} | ${license} |`,
  )
  return `# Licenses of dependencies

<!-- Generated from package-lock.json by \`npm run generate\`. -->

The ${rows.length} packages that an installation of Hookline contains, in the server and in the dashboard. Their texts are
in \`dist/licenses.md\` and \`dashboard/licenses.md\` of the production package. \`npm run check\` fails if a license is
not on the list in \`dev/licenses.ts\`.

| package | version | license |
| --- | --- | --- |
${rows.join('\n')}
`
}
