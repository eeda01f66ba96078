/**
 * Secrets of profiles: in the keyring of the operating system, by its own command and with a time limit, otherwise in a
 * file that only the user can read. A secret never appears in the arguments of a process.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { CliError } from './errors.ts'
import { configFolder, readPrivately, writePrivately } from './profiles.ts'

const service = 'hookline'
/** A keyring that is locked asks the user, perhaps in a window that nobody sees. */
const keyringTimeoutMs = 3_000

type Store = 'keyring' | 'file'

/** Stores a secret where it was before. Another place would leave the old secret behind. */
export async function replaceSecret(profile: string, secret: string, store: Store): Promise<void> {
  if (store === 'file') return writeSecrets({ ...(await readSecrets()), [profile]: secret })
  if ((await keyring?.save(profile, secret)) !== true) throw new CliError('The keyring does not respond.')
}

/** Returns where the secret was stored. */
export async function saveSecret(profile: string, secret: string): Promise<Store> {
  if ((await keyring?.save(profile, secret)) === true && (await keyring?.read(profile)) === secret)
    return 'keyring'
  await writeSecrets({ ...(await readSecrets()), [profile]: secret })
  return 'file'
}

export async function readSecret(profile: string, store: Store): Promise<string | undefined> {
  return store === 'keyring' ? keyring?.read(profile) : (await readSecrets())[profile]
}

export async function removeSecret(profile: string, store: Store): Promise<void> {
  if (store === 'keyring') return void (await keyring?.remove(profile))
  const { [profile]: _, ...others } = await readSecrets()
  await writeSecrets(others)
}

function secretsPath(): string {
  return join(configFolder(), 'secrets.json')
}

async function readSecrets(): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readPrivately(secretsPath())) as Record<string, string>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    if (error instanceof CliError) throw error
    throw new CliError(`${secretsPath()} cannot be read.`, {
      hint: 'Fix or delete the file, then: hookline login',
    })
  }
}

async function writeSecrets(secrets: Record<string, string>): Promise<void> {
  await writePrivately(secretsPath(), `${JSON.stringify(secrets, null, 2)}\n`)
}

interface Keyring {
  save: (profile: string, secret: string) => Promise<boolean>
  read: (profile: string) => Promise<string | undefined>
  remove: (profile: string) => Promise<boolean>
}

const secretTool: Keyring = {
  save: async (profile, secret) =>
    (await run(
      'secret-tool',
      ['store', '--label', `Hookline ${profile}`, ...attributes(profile)],
      secret,
    )) !== undefined,
  read: (profile) => run('secret-tool', ['lookup', ...attributes(profile)]),
  remove: async (profile) => (await run('secret-tool', ['clear', ...attributes(profile)])) !== undefined,
}

function attributes(profile: string): string[] {
  return ['service', service, 'profile', profile]
}

/** `security -i` reads commands from stdin, so the secret is not an argument. */
const macKeychain: Keyring = {
  async save(profile, secret) {
    const command = `add-generic-password -U -s ${quoted(service)} -a ${quoted(profile)} -w ${quoted(secret)}\n`
    return (await run('/usr/bin/security', ['-i'], command)) !== undefined
  },
  read: (profile) => run('/usr/bin/security', ['find-generic-password', '-s', service, '-a', profile, '-w']),
  remove: async (profile) =>
    (await run('/usr/bin/security', ['delete-generic-password', '-s', service, '-a', profile])) !== undefined,
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}

const keyring: Keyring | undefined =
  process.env.HOOKLINE_NO_KEYRING === '1'
    ? undefined
    : { linux: secretTool, darwin: macKeychain }[process.platform as string]

/** Returns the output without its last line feed; undefined if the command is missing, fails or takes too long. */
function run(program: string, args: readonly string[], input = ''): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: keyringTimeoutMs })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', () => resolve(undefined))
    child.once('close', (code) => resolve(code === 0 ? output.replace(/\n$/, '') : undefined))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}
