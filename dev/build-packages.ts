/**
 * `npm run build:packages`: builds the packages for developers in `dist/`, and prints how to install each.
 * `-- cli python` builds only these two.
 */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packages } from './packages/packages.ts'

const names = process.argv.slice(2)
const unknown = names.filter((name) => !packages.some((one) => one.name === name))
if (unknown.length > 0) {
  console.error(
    `There is no package ${unknown.join(', ')}. Packages: ${packages.map(({ name }) => name).join(', ')}`,
  )
  process.exit(2)
}
const output = fileURLToPath(new URL('../dist/', import.meta.url))
for (const { name, install, build } of packages)
  if (names.length === 0 || names.includes(name))
    console.log(`${install} ${relative('.', await build(output))}`)
