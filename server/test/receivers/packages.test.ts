/** Both packages are built and installed into an empty project without network access, and accept a vector there. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { buildPhp } from '../../../dev/packages/php.ts'
import { buildPython } from '../../../dev/packages/python.ts'
import { composer, phpPackage, requirePackage } from './support/composer.ts'

// pip takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'hookline-packages-'))
const vectorsFile = join(root, 'receiver/vectors.json')

afterAll(() => rmSync(folder, { recursive: true }))

function run(command: string, args: readonly string[], cwd: string): string {
  const env = { PATH: process.env.PATH ?? '', PIP_NO_INDEX: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' }
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: 'pipe' })
}

/** Both programs print the first vector's event type, and the length of a handler's run. */
const phpProgram = `<?php
use Hookline\\Receiver\\{MemoryStore, Receiver, Request};
use function Hookline\\Receiver\\once;
require 'vendor/autoload.php';
$vector = json_decode(file_get_contents($argv[1]), true)['vectors'][0];
['request' => $sent] = $vector;
$request = new Request($sent['method'], array_column($sent['headers'], 1, 0), $sent['body']);
$receiver = new Receiver($vector['secrets']);
$receiver->verify($request, $vector['now']);
once('id', new MemoryStore(), static fn () => print($receiver->parse($request)->type));`

const pythonProgram = `
import json, sys
from hookline_receiver import MemoryStore, Receiver, Request, once
vector = json.load(open(sys.argv[1]))["vectors"][0]
sent = vector["request"]
request = Request(sent["method"], sent["headers"], sent["body"].encode())
receiver = Receiver(vector["secrets"])
receiver.verify(request, vector["now"])
once("id", MemoryStore(), lambda: print(receiver.parse(request).type, end=""))`

test('Composer installs the PHP package, which loads by its autoloader', () => {
  const copy = join(folder, 'php-package')
  cpSync(phpPackage, copy, { recursive: true })
  expect(composer(copy, 'validate', '--strict')).toContain('is valid')
  const project = join(folder, 'php-project')
  mkdirSync(project)
  requirePackage(project)
  writeFileSync(join(project, 'main.php'), phpProgram)
  expect(run('php', ['main.php', vectorsFile], project)).toBe('sms_mo')
})

test('the PHP package loads without Composer', async () => {
  run('tar', ['-xf', await buildPhp(`${folder}/packages/`)], folder)
  const program = phpProgram.replace('vendor/', 'hookline-receiver/')
  writeFileSync(join(folder, 'main.php'), program)
  expect(run('php', ['main.php', vectorsFile], folder)).toBe('sms_mo')
})

test('pip installs the wheel of the Python package', async () => {
  const wheel = await buildPython(`${folder}/packages/`)
  const project = join(folder, 'python-project')
  run('/usr/bin/python3', ['-m', 'venv', project], folder)
  const python = join(project, 'bin/python')
  run(python, ['-m', 'pip', 'install', wheel], folder)
  writeFileSync(join(project, 'main.py'), pythonProgram)
  expect(run(python, ['-I', 'main.py', vectorsFile], project)).toBe('sms_mo')
  const [library = ''] = readdirSync(join(project, 'lib'))
  const installed = join(project, 'lib', library, 'site-packages/hookline_receiver')
  expect(existsSync(join(installed, 'py.typed'))).toBe(true)
})

/** Pages with programs for PHP and Python. Each program is a part of an example, and tests run the examples. */
describe.each([
  ['docs/receiver-library.md', 3],
  ['receivers/php/README.md', 1],
  ['receivers/python/README.md', 1],
])('%s', (page, count) => {
  test('shows programs that tests run', () => {
    const text = readFileSync(join(root, page), 'utf8')
    const programs = [...text.matchAll(/```(?:php|python)\n(.*?)```/gs)].map(([, program = '']) => program)
    expect(programs).toHaveLength(count)
    const examples = ['php', 'python'].flatMap((language) => {
      const path = join(root, 'receivers', language, 'examples')
      return readdirSync(path).map((name) => readFileSync(join(path, name), 'utf8'))
    })
    for (const program of programs)
      expect(
        examples.some((example) => example.includes(program)),
        program,
      ).toBe(true)
  })

  test('links to files that exist', () => {
    const text = readFileSync(join(root, page), 'utf8')
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) =>
      join(root, page, '..', target),
    )
    expect(targets.filter((target) => !existsSync(target))).toEqual([])
  })
})
