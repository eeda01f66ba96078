/** `npm run check`: every gate in turn, all of them even when one fails, so that one run shows everything. */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { generateAll } from './generated.ts'
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
    command: ['oxlint', '--type-aware', '--deny-warnings', 'server', 'sdk', 'web', 'dev', 'bench'],
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
      'web/src',
      'web/test',
      'dev',
      'bench',
    ],
    proof: /\b[1-9]\d* modules/,
  },
  { name: 'dead code', command: ['knip'] },
]

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

const stale: string[] = []
for (const { path, text } of await generateAll()) {
  const current = await readFile(path, 'utf8').catch(() => '')
  if (current !== text) stale.push(path)
}
report('generated files', stale.length === 0, `Run \`npm run generate\`: ${stale.join(', ')} would change.`)

if (failed.length > 0) {
  console.error(`\n${failed.length} of ${gates.length + 2} gates failed: ${failed.join(', ')}`)
  process.exit(1)
}

function report(name: string, isFine: boolean, output: string): void {
  console.log(`${isFine ? '✓' : '✗'} ${name}`)
  if (isFine) return
  failed.push(name)
  console.log(output.trim())
}
