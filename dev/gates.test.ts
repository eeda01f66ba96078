/**
 * Every gate of `npm run check` can fail, and says what it found. The checkout is copied, the bad files of `dev/planted`
 * are laid over the copy, and the copy's own `dev/check.ts` is run there.
 */
import { spawn } from 'node:child_process'
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const notCopied = new Set(['node_modules', '.git', '.services', 'coverage', 'dist', 'planted'])

let copy: string

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'hookline-gates-'))
  // PostgreSQL's user looks at the copy's folder of services.
  await chmod(copy, 0o755)
  await cp(root, copy, { recursive: true, filter: (path) => !notCopied.has(basename(path)) })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  await shareDatabase()
}, 180_000)

afterAll(async () => {
  await stopBroker()
  await rm(copy, { recursive: true })
})

/** The copy uses the PostgreSQL that runs for the tests; only a NATS of its own is started for it. */
async function shareDatabase(): Promise<void> {
  await mkdir(join(copy, '.services'))
  await cp(join(root, '.services/state.json'), join(copy, '.services/state.json'))
  // Where it really lies: the folder of a private checkout is closed to PostgreSQL's user.
  await symlink(await realpath(join(root, '.services/postgres')), join(copy, '.services/postgres'))
}

async function stopBroker(): Promise<void> {
  const pid = await readFile(join(copy, '.services/nats.pid'), 'utf8').catch(() => undefined)
  if (pid !== undefined) process.kill(Number(pid))
}

async function plant(): Promise<void> {
  for (const workspace of ['server', 'sdk', 'web'])
    await cp(join(root, 'dev/planted', workspace), join(copy, workspace), {
      recursive: true,
      filter: (path) => !path.endsWith('.txt'),
    })
  const planted = join(root, 'dev/planted/server')
  for (const name of ['planted-cycle-one.ts', 'planted-cycle-two.ts', 'planted-unformatted.ts'])
    await cp(join(planted, `src/runtime/${name}.txt`), join(copy, `server/src/runtime/${name}`))
  await appendFile(
    join(copy, 'server/src/main.ts'),
    "import { used } from './model/planted-unused-export.ts'\nconsole.log(used)\n",
  )
  await plantDependencies()
  await writeFile(
    join(copy, 'server/migrations/9999_planted.sql'),
    'CREATE INDEX hooks_planted ON hooks (target_url);\n',
  )
  await appendFile(join(copy, 'docs/errors.md'), 'A line about the developer area that nobody generated.\n')
}

/** Adds two dependencies to the lockfile: an indirect one with a strict license, and one with an install script. */
async function plantDependencies(): Promise<void> {
  const path = join(copy, 'package-lock.json')
  const lockfile = JSON.parse(await readFile(path, 'utf8'))
  const { packages } = lockfile
  packages['node_modules/fastify'].dependencies['planted-license'] = '1.0.0'
  packages['node_modules/fastify/node_modules/planted-license'] = {
    version: '1.0.0',
    license: 'AGPL-3.0-only',
  }
  packages['node_modules/planted-license'] = { version: '2.0.0', license: 'MIT' }
  packages['node_modules/vitest/node_modules/@planted/script'] = { version: '1.0.0', hasInstallScript: true }
  await writeFile(path, JSON.stringify(lockfile))
}

interface Checked {
  code: number | null
  /** What was printed for each gate, under its line with the mark. */
  gates: Map<string, string>
  lastLine: string
}

async function check(firstOnPath = ''): Promise<Checked> {
  const { code, output } = await run(copy, process.execPath, ['dev/check.ts'], firstOnPath)
  const sections = output.split(/^(?=[✓✗] )/m).map((section) => {
    const end = section.indexOf('\n')
    return [section.slice(0, end), section.slice(end + 1)] as const
  })
  return { code, gates: new Map(sections), lastLine: output.trim().split('\n').at(-1) ?? '' }
}

async function run(
  folder: string,
  program: string,
  args: string[],
  firstOnPath = '',
): Promise<{ code: number | null; output: string }> {
  const PATH = `${firstOnPath}${join(root, 'node_modules/.bin')}:${process.env.PATH}`
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, PATH, NO_COLOR: '1' } })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  // Some tools color their words whenever they think that they run in CI.
  return { code, output: stripVTControlCharacters(output) }
}

describe('with a bad file planted for each gate', () => {
  let checked: Checked

  beforeAll(async () => {
    await plant()
    checked = await check()
  }, 600_000)

  function found(gate: string): string {
    return checked.gates.get(`✗ ${gate}`) ?? ''
  }

  test('every gate fails, and none keeps another from being run', () => {
    expect([...checked.gates.keys()]).toEqual([
      '✗ format',
      '✗ types',
      '✗ types of the dashboard',
      '✗ lint',
      '✗ boundaries',
      '✗ dead code',
      '✗ words',
      '✗ licenses',
      '✗ install scripts',
      '✗ migrations',
      '✗ generated files',
    ])
    expect(checked.lastLine).toBe(
      '11 of 11 gates failed: format, types, types of the dashboard, lint, boundaries, dead code, words, licenses, install scripts, migrations, generated files',
    )
    expect(checked.code).toBe(1)
  })

  test('the format gate finds the untidy file', () => {
    expect(found('format')).toContain('server/src/runtime/planted-unformatted.ts')
  })

  test('the type gate finds a text where a number belongs', () => {
    expect(found('types')).toMatch(/server\/src\/runtime\/planted-type-error\.ts\(1,14\): error TS2322/)
  })

  test('the type gate of the dashboard finds a text where a number belongs and knows the DOM', () => {
    expect(found('types of the dashboard')).toMatch(
      /web\/src\/lib\/planted-type-error\.ts\(1,14\): error TS2322/,
    )
  })

  test('the lint gate finds a promise nobody waits for', () => {
    expect(found('lint')).toMatch(/no-floating-promises[^]{0,200}planted-floating-promise\.ts:3/)
  })

  const imports = [
    [
      'no-cycles',
      'runtime/planted-cycle-one.ts',
      'src/runtime/planted-cycle-two.ts',
      'one file in two places',
    ],
    [
      'nothing-below-imports-http-and-admin',
      'model/planted-upward-import.ts',
      'src/http/operation/contract-params.ts',
      'how it is reached',
    ],
    [
      'nothing-below-imports-http-and-admin',
      'hooks/planted-upward-import.ts',
      'src/http/server/envelope.ts',
      'how it is reached',
    ],
    [
      'nothing-below-imports-parts',
      'db/planted-upward-import.ts',
      'src/hooks/list-hooks.ts',
      'do not know the parts',
    ],
    [
      'nothing-below-imports-service',
      'http/planted-upward-import.ts',
      'src/service/service.ts',
      'gets all it needs as arguments',
    ],
    [
      'foundations-are-strangers',
      'vault/planted-neighbor.ts',
      'src/db/database.ts',
      'do not know each other',
    ],
    [
      'parts-are-strangers',
      'hooks/planted-sibling-import.ts',
      'src/identity/keys/token.ts',
      'of its siblings',
    ],
    [
      'parts-are-strangers',
      'identity/accounts/planted-sibling-import.ts',
      'src/identity/keys/token.ts',
      'of its siblings',
    ],
    ['only-entry-points-read-settings', 'http/planted-settings.ts', 'src/config.ts', 'read once at start'],
    [
      'source-does-not-import-tests',
      'http/planted-test-import.ts',
      'test/support/http-call.ts',
      'depend on its tests',
    ],
  ] as const

  test.each(imports)('the boundary gate finds %s in %s', (rule, from, to) => {
    expect(inOneLine(found('boundaries'))).toContain(`error ${rule}: server/src/${from} → server/${to}`)
  })

  test('the boundary gate gives the reason for each', () => {
    const violations = inOneLine(found('boundaries')).split(/(?=error [a-z-]+: )/)
    const withoutReason = imports.filter(
      ([rule, from, , reason]) =>
        !violations.some(
          (one) => one.startsWith(`error ${rule}: server/src/${from}`) && one.includes(reason),
        ),
    )
    expect(withoutReason.map(([rule]) => rule)).toEqual([])
  })

  test.each([
    ['web-imports-only-the-sdk', 'web/src/lib/planted-server-import.ts', 'server/src/model/errors.ts'],
    ['sdk-imports-nothing', 'sdk/src/planted-server-import.ts', 'server/src/model/errors.ts'],
    ['nothing-below-imports-api', 'web/src/lib/planted-upward-import.ts', 'web/src/api/client.ts'],
    [
      'nothing-below-imports-app',
      'web/src/features/account/planted-upward-import.ts',
      'web/src/app/theme.ts',
    ],
    [
      'features-are-strangers',
      'web/src/features/account/planted-sibling-import.ts',
      'web/src/features/overview/next-steps.tsx',
    ],
    ['messages-take-only-types-from-api', 'web/src/messages/planted-api-call.ts', 'web/src/api/client.ts'],
    ['ui-knows-no-api', 'web/src/ui/data/planted-api-call.ts', 'web/src/api/client.ts'],
  ])('the boundary gate finds %s', (rule, from, to) => {
    expect(inOneLine(found('boundaries'))).toContain(`error ${rule}: ${from} → ${to}`)
  })

  test('the dead code gate finds an export nobody uses, and not the one beside it', () => {
    const lines = found('dead code').split('\n')
    const exports = lines.filter((line) => line.includes('server/src/model/planted-unused-export.ts'))
    expect(exports.map((line) => line.split(/\s+/, 1)[0])).toEqual(['unused'])
  })

  test('the word gate finds replaced words in identifiers, comments and pages', () => {
    expect(found('words')).toMatch(/server\/src\/model\/planted-words\.ts:1: "judges": write validate/)
    expect(found('words')).toMatch(/server\/src\/model\/planted-words\.ts:2: "mostEvents": write max…/)
    expect(found('words')).toMatch(/docs\/errors\.md:\d+: "developer area": write dashboard/)
  })

  test('the license gate finds an indirect dependency of the server', () => {
    expect(found('licenses').trim()).toBe('planted-license@1.0.0: the license AGPL-3.0-only is not allowed')
  })

  test('the gate of install scripts finds a package of any kind', () => {
    expect(found('install scripts')).toMatch(/^@planted\/script has an install script: remove it, or deny it/)
  })

  test('the gate of migrations finds an index that locks its table', () => {
    expect(found('migrations')).toMatch(/^9999_planted\.sql: hooks_planted: use CREATE INDEX CONCURRENTLY/)
  })

  test('the gate of generated files finds the page that was changed by hand', () => {
    expect(found('generated files')).toMatch(/npm run generate.*docs\/errors\.md/)
  })

  test('no gate that found something is said to have looked at nothing', () => {
    const said = [...checked.gates].filter(([, output]) => output.includes('without looking at any file'))
    expect(said.map(([gate]) => gate)).toEqual([])
  })
})

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

describe('with tools that look at nothing and pass', () => {
  let checked: Checked

  beforeAll(async () => {
    const tools = join(copy, 'tools')
    await mkdir(tools)
    for (const [name, says] of Object.entries({
      prettier: '',
      tsc: '',
      oxlint: 'Found 0 warnings and 0 errors.\nFinished in 3ms on 0 files with 175 rules using 2 threads.',
      depcruise: '✔ no dependency violations found (0 modules, 0 dependencies cruised)',
      knip: '',
    }))
      await writeFile(join(tools, name), `#!/bin/sh\necho '${says}'\n`, { mode: 0o755 })
    await cp(join(root, 'docs/errors.md'), join(copy, 'docs/errors.md'))
    checked = await check(`${tools}:`)
  }, 600_000)

  test.each(['lint', 'boundaries'])('the %s gate fails and says so', (gate) => {
    expect(checked.code).toBe(1)
    expect(checked.gates.get(`✗ ${gate}`)).toContain('It passed without looking at any file.')
  })

  test('a generated file that was put back is no longer found', () => {
    expect(checked.gates.get('✗ generated files') ?? '').not.toContain('docs/errors.md')
  })
})

test('the boundary gate looks at every file of the server', async () => {
  const files = (await readdir(join(root, 'server/src'), { recursive: true })).filter((name) =>
    name.endsWith('.ts'),
  )
  const args = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'server/src']
  const { output } = await run(root, 'depcruise', args)
  const cruised: { modules: Array<{ source: string }> } = JSON.parse(output)
  const seen = new Set(cruised.modules.map(({ source }) => source))
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter((name) => !seen.has(`server/src/${name}`))).toEqual([])
}, 300_000)
