/**
 * Profiles: an installation and an account each, in one file. Secrets are stored separately (`secrets.ts`).
 * A command uses `--profile`, `HOOKLINE_PROFILE` or the current profile. `HOOKLINE_API_KEY` takes precedence over all.
 */
import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CliError, exitCodes } from './errors.ts'

export interface Profile {
  url: string
  credential: 'api-key' | 'oauth'
  account: { id: number; name: string }
  /** Where the secret is. */
  store: 'keyring' | 'file'
}

interface ConfigFile {
  current: string
  profiles: Record<string, Profile>
}

const defaultName = 'default'

export function configFolder(): string {
  if (process.env.HOOKLINE_CONFIG_DIR) return process.env.HOOKLINE_CONFIG_DIR
  if (process.platform === 'win32' && process.env.APPDATA) return join(process.env.APPDATA, 'hookline')
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'hookline')
}

function configPath(): string {
  return join(configFolder(), 'config.json')
}

export async function readConfig(): Promise<ConfigFile> {
  let text: string
  try {
    text = await readPrivately(configPath())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: defaultName, profiles: {} }
    throw error
  }
  try {
    return JSON.parse(text) as ConfigFile
  } catch {
    throw new CliError(`${configPath()} is not valid JSON.`, {
      hint: 'Fix or delete the file, then: hookline login',
    })
  }
}

async function writeConfig(config: ConfigFile): Promise<void> {
  await writePrivately(configPath(), `${JSON.stringify(config, null, 2)}\n`)
}

/** Writes a file that only the user can read, completely or not at all. */
export async function writePrivately(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomUUID()}`
  // Never a file or a link that somebody else has created.
  await writeFile(temporary, text, { mode: 0o600, flag: 'wx' })
  await rename(temporary, path)
}

/**
 * Reads a file that only the user may change, because it decides where credentials are sent. One that others can change is
 * rejected. One that others can read becomes private again.
 */
export async function readPrivately(path: string): Promise<string> {
  const { mode } = await stat(path)
  if (process.platform !== 'win32' && (mode & 0o022) !== 0)
    throw new CliError(`Others can change ${path}, so your credentials could be sent to them.`, {
      hint: `Check its content, then: chmod 600 ${path}`,
    })
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(path, 0o600)
  return readFile(path, 'utf8')
}

/** Returns the name of the profile that a command uses. */
export async function profileName(requested?: string): Promise<string> {
  return requested ?? process.env.HOOKLINE_PROFILE ?? (await readConfig()).current
}

export async function findProfile(name: string): Promise<Profile | undefined> {
  const { profiles } = await readConfig()
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined
}

export async function readProfile(requested?: string): Promise<{ name: string; profile: Profile }> {
  const name = await profileName(requested)
  const profile = await findProfile(name)
  if (profile === undefined)
    throw new CliError(name === defaultName ? 'You are not signed in.' : `There is no profile "${name}".`, {
      exitCode: exitCodes.unauthorized,
      hint: `Sign in: hookline login --url https://…${name === defaultName ? '' : ` --profile ${name}`}`,
    })
  return { name, profile }
}

export async function saveProfile(name: string, profile: Profile): Promise<void> {
  const config = await readConfig()
  await writeConfig({ current: name, profiles: { ...config.profiles, [name]: profile } })
}

export async function useProfile(name: string): Promise<void> {
  await readProfile(name)
  await writeConfig({ ...(await readConfig()), current: name })
}

export async function removeProfile(name: string): Promise<void> {
  const { current, profiles } = await readConfig()
  const { [name]: _, ...others } = profiles
  const [first = defaultName] = Object.keys(others)
  await writeConfig({ current: current === name ? first : current, profiles: others })
}
