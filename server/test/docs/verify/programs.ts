/**
 * Runs the examples of docs/examples/, unmodified, in each language. A program reads one request per line, its fields in
 * Base64, and prints the results of both examples.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Input of the examples. */
export interface VerifyInput {
  secret: string
  signingKey: string
  method: string
  /** As registered. */
  url: string
  body: string
  /** The body, or the query of a GET. */
  content: string
  headers: Record<string, string>
}

interface Program {
  /** Command that must be installed. */
  command: string
  /** The examples and the name under which the program imports them. */
  files: readonly [webhook: [example: string, name: string], xSignature: [example: string, name: string]]
  main: string
  build?: readonly string[]
  run: readonly string[]
}

export const programs: Record<string, Program> = {
  Node: {
    command: process.execPath,
    files: [
      ['verify.mjs', 'webhook.mjs'],
      ['verify.mjs', 'x-signature.mjs'],
    ],
    main: 'main.mjs',
    run: [process.execPath, 'main.mjs'],
  },
  Python: {
    command: 'python3',
    files: [
      ['verify.py', 'webhook.py'],
      ['verify.py', 'x_signature.py'],
    ],
    main: 'main.py',
    run: ['python3', 'main.py'],
  },
  PHP: {
    command: 'php',
    files: [
      ['verify.php', 'webhook.php'],
      ['verify.php', 'x-signature.php'],
    ],
    main: 'main.php',
    run: ['php', 'main.php'],
  },
  Ruby: {
    command: 'ruby',
    files: [
      ['verify.rb', 'webhook.rb'],
      ['verify.rb', 'x-signature.rb'],
    ],
    main: 'main.rb',
    run: ['ruby', 'main.rb'],
  },
  Go: {
    command: 'go',
    files: [
      ['verify.go', 'webhook/webhook.go'],
      ['verify.go', 'webhook/x_signature.go'],
    ],
    main: 'main.go',
    run: ['go', 'run', 'main.go'],
  },
  Java: {
    command: 'javac',
    files: [
      ['Verify.java', 'Verify.java'],
      ['VerifyX.java', 'VerifyX.java'],
    ],
    main: 'Main.java',
    build: ['javac', 'Verify.java', 'VerifyX.java', 'Main.java'],
    run: ['java', 'Main'],
  },
}

const here = fileURLToPath(new URL('.', import.meta.url))
const examples = fileURLToPath(new URL('../../../../docs/examples/', import.meta.url))

export function isInstalled(language: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${programs[language]?.command}`]).status === 0
}

/** Returns the results of both examples for each input. */
export function verify(language: string, inputs: readonly VerifyInput[]): Array<[boolean, boolean]> {
  const program = programs[language]
  if (program === undefined) throw new Error(`no program in ${language}`)
  const folder = mkdtempSync(join(tmpdir(), 'hookline-verify-'))
  try {
    const [[webhook, webhookName], [xSignature, xSignatureName]] = program.files
    mkdirSync(dirname(join(folder, webhookName)), { recursive: true })
    copyFileSync(join(examples, 'verify', webhook), join(folder, webhookName))
    copyFileSync(join(examples, 'verify-x-signature', xSignature), join(folder, xSignatureName))
    copyFileSync(join(here, program.main), join(folder, program.main))
    writeFileSync(join(folder, 'go.mod'), 'module verify\n')
    if (program.build !== undefined) execute(program.build, folder, '')
    const output = execute(program.run, folder, inputs.map(toLine).join(''))
    return output
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map((result) => result === 'true') as [boolean, boolean])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function execute([command = '', ...args]: readonly string[], cwd: string, input: string): string {
  return execFileSync(command, args, { cwd, input, encoding: 'utf8' })
}

function toLine(input: VerifyInput): string {
  const headers = Object.entries(input.headers).map(([name, value]) => `${name}: ${value}`)
  const { secret, signingKey, method, url, body, content } = input
  const fields = [secret, signingKey, method, url, body, content, headers.join('\n')]
  return `${fields.map((field) => Buffer.from(field).toString('base64')).join(' ')}\n`
}
