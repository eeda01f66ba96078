/** `npm run check`: every gate in turn, all of them even when one fails, so that one run shows everything. */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { generateAll } from './generated.ts'
import { findInstallScripts } from './install-scripts.ts'
import { findLicenseProblems, type Lockfile } from './licenses.ts'
import { readMigrations } from '../server/src/db/migrate.ts'
import { migrationsFolder } from '../server/src/db/migrations-folder.ts'
import { findMigrationProblems } from './migrations.ts'
import { findReplacedWords } from './words.ts'

interface Gate {
  name: string
  command: string[]
  /** The output proves that the tool looked at files. */
  proof?: RegExp
}

const gates: Gate[] = [
  { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', '.'] },
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'types of the dashboard', command: ['tsc', '-p', 'web'] },
  {
    name: 'lint',
    command: [
      'oxlint',
      '--type-aware',
      '--deny-warnings',
      'server',
      'sdk',
      'receiver',
      'cli',
      'web',
      'dev',
      'bench',
    ],
    proof: /on [1-9]\d* files/,
  },
  {
    name: 'boundaries',
    command: [
      'depcruise',
      '--config',
      '.dependency-cruiser.mjs',
      '--output-type',
      'err-long',
      'server/src',
      'server/test',
      'sdk/src',
      'receiver/src',
      'cli',
      'web/src',
      'web/test',
      'dev',
      'bench',
    ],
    proof: /\b[1-9]\d* modules/,
  },
  { name: 'dead code', command: ['knip'] },
]

const reported: string[] = []
const failed: string[] = []

for (const { name, command, proof } of gates) {
  const [program = '', ...args] = command
  const ran = spawnSync(program, args, { encoding: 'utf8' })
  const output = `${ran.stdout}${ran.stderr}`
  const sawSomething = proof === undefined || proof.test(output)
  const isFine = ran.status === 0 && sawSomething
  report(name, isFine, sawSomething ? output : `${output}\nIt passed without looking at any file.`)
}

const { files, found } = await findReplacedWords('.')
report(
  'words',
  files > 0 && found.length === 0,
  `${found.map(({ path, line, word, instead }) => `${path}:${line}: "${word}": write ${instead}`).join('\n')}\n${files} files`,
)

const lockfile: Lockfile = JSON.parse(await readFile('package-lock.json', 'utf8'))
const { allowScripts } = JSON.parse(await readFile('package.json', 'utf8'))
const licenses = findLicenseProblems(lockfile)
report('licenses', licenses.length === 0, licenses.join('\n'))
const installScripts = findInstallScripts(lockfile, allowScripts)
report('install scripts', installScripts.length === 0, installScripts.join('\n'))

const migrations = await readMigrations(migrationsFolder)
const migrationProblems = findMigrationProblems(migrations)
report(
  'migrations',
  migrations.length > 0 && migrationProblems.length === 0,
  `${migrationProblems.join('\n')}\n${migrations.length} files`,
)

const stale: string[] = []
for (const { path, text } of await generateAll()) {
  const current = await readFile(path, 'utf8').catch(() => '')
  if (current !== text) stale.push(path)
}
report('generated files', stale.length === 0, `Run \`npm run generate\`: ${stale.join(', ')} would change.`)

if (failed.length > 0) {
  console.error(`\n${failed.length} of ${reported.length} gates failed: ${failed.join(', ')}`)
  process.exit(1)
}

function report(name: string, isFine: boolean, output: string): void {
  console.log(`${isFine ? '✓' : '✗'} ${name}`)
  reported.push(name)
  if (isFine) return
  failed.push(name)
  console.log(output.trim())
}
