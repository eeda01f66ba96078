/** The guide docs/guide/your-machine.md is followed with the built packages in empty folders, in all three languages. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sign } from '@hookline/receiver'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { packages } from '../../../dev/packages/packages.ts'
import { freePort } from '../../../dev/ports.ts'
import { startDashboardService, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

const page = await readFile(
  fileURLToPath(new URL('../../../docs/guide/your-machine.md', import.meta.url)),
  'utf8',
)

let hookline: TestService
let folder: string
let port: number
let env: NodeJS.ProcessEnv
const running = new Set<ChildProcess>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline-guide-'))
  hookline = await startDashboardService({}, 'all')
  port = await freePort()
  for (const { build } of packages) await build(`${folder}/packages/`)
  env = {
    PATH: [join(folder, 'global/bin'), dirname(process.execPath), '/usr/local/bin:/usr/bin:/bin'].join(':'),
    HOME: folder,
    npm_config_prefix: join(folder, 'global'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    PIP_NO_INDEX: '1',
    HOOKLINE_NO_KEYRING: '1',
  }
  const install = await shell('npm install -g hookline-cli-0.1.0.tgz', join(folder, 'packages'))
  expect(install.stdout).toContain('added 1 package')
  const { key } = await hookline.account()
  const login = 'hookline login --url https://hooks.example.com --api-key-stdin'
  await shell(login, folder, { input: key })
  const { stdout } = await shell('hookline doctor', folder)
  expect(stdout).not.toContain('✗')
})
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
})
afterAll(async () => {
  await hookline.close()
  await rm(folder, { recursive: true })
})

/** A command or a line of the page, for this installation and port. */
function fromPage(text: string): string {
  expect(page).toContain(text)
  return text.replaceAll('https://hooks.example.com', hookline.url).replaceAll('3000', String(port))
}

async function shell(
  command: string,
  cwd: string,
  { input = '', secret }: { input?: string; secret?: string } = {},
): Promise<{ stdout: string }> {
  const text = fromPage(command).replace('whsec_…', secret ?? '')
  const ending = promisify(execFile)('bash', ['-c', text], { cwd, env })
  ending.child.stdin?.end(input)
  return ending
}

/** Starts a command of the page in the background. `extra` is added to it. */
function start(command: string, cwd: string, { secret = '', extra = '' } = {}) {
  const text = `exec env ${fromPage(command).replace('whsec_…', secret)} ${extra}`
  const child = spawn('bash', ['-c', text], { cwd, env })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise((resolve) => child.once('close', resolve))
  void ended.then(() => running.delete(child))
  return {
    output: () => output,
    async stop() {
      child.kill('SIGINT')
      await ended
    },
    async prints(line: string) {
      await vi
        .waitUntil(() => output.includes(line), { timeout: 20_000 })
        .catch(() => {
          throw new Error(`The output has no "${line}":\n${output}`)
        })
    },
  }
}

async function startListening(cwd: string) {
  // Outside a terminal, the secret is hidden unless it is asked for.
  const listener = start('hookline listen 3000/webhooks', cwd, { extra: '--show-secret --since now' })
  await listener.prints('Signing secret: ')
  const [secret = ''] = /whsec_\S+/.exec(listener.output()) ?? []
  return { listener, secret }
}

/** The command of each language that starts the receiver, as in the table of the page. */
const receivers = [
  {
    language: 'Node',
    file: 'receiver.mjs',
    install: ['npm install hookline-receiver-0.1.0.tgz'],
    command: 'HOOKLINE_SECRET=whsec_… node receiver.mjs',
  },
  {
    language: 'PHP',
    file: 'receiver.php',
    install: ['tar -xf hookline-receiver-php-0.1.0.tar.gz'],
    command: 'HOOKLINE_SECRET=whsec_… php -S localhost:3000 receiver.php',
  },
  {
    language: 'Python',
    file: 'receiver.py',
    install: ['python3 -m venv .venv', '.venv/bin/pip install hookline_receiver-0.1.0-py3-none-any.whl'],
    command: 'HOOKLINE_SECRET=whsec_… .venv/bin/python receiver.py',
  },
]

test.each(receivers)('a receiver in $language', async ({ language, file, install, command }) => {
  const cwd = join(folder, language)
  await mkdir(cwd)
  for (const name of await readdir(join(folder, 'packages')))
    if (/\.(?:tgz|gz|whl)$/.test(name)) await cp(join(folder, 'packages', name), join(cwd, name))
  for (const step of install) await shell(step, cwd)
  const [, program = ''] = new RegExp(`\`${file}\`:\\n\\n\`\`\`\\w+\\n([^]*?)\`\`\``).exec(page) ?? []
  await writeFile(join(cwd, file), fromPage(program))

  const { listener, secret } = await startListening(cwd)
  const wrong = start(command, cwd, { secret: 'whsec_d3Jvbmc=' })
  await shell('hookline trigger sms_mo', cwd)
  await listener.prints('401 in')
  await wrong.stop()

  const right = start(command, cwd, { secret })
  await shell('hookline trigger sms_mo --set text=Hello', cwd)
  await right.prints('sms_mo ')
  await right.prints('Hello')
  await listener.prints('204 in')
  await right.stop()
  await listener.stop()
})

test('a request is verified where it arrives', async () => {
  const { listener, secret } = await startListening(folder)
  const command = 'HOOKLINE_SECRET=whsec_… hookline verify --port 3000'
  const genuine = start(command, folder, { secret })
  await genuine.prints('Waiting for a request')
  await shell('hookline trigger sms_mo', folder)
  await genuine.prints('Valid: webhook-signature')
  await listener.stop()

  const { method, headers, body } = sign({ webhook_event: 'sms_mo', data: { text: 'Hello' } }, { secret })
  const changed = start(command, folder, { secret })
  await changed.prints('Waiting for a request')
  await fetch(`http://localhost:${port}/`, { method, headers, body: body.replace('{"data":', '{ "data": ') })
  await changed.prints(
    fromPage('✗ body_changed: The body is not the one that was signed: it was parsed and serialized again.'),
  )
})
