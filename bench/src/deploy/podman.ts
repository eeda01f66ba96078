/** Runs podman with the options of `containers.conf`. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const containerEnv = {
  ...process.env,
  CONTAINERS_CONF: fileURLToPath(new URL('containers.conf', import.meta.url)),
  // The default needs a file system with overlays.
  STORAGE_DRIVER: 'vfs',
}

export async function podman(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('podman', args, { env: containerEnv, maxBuffer: 1e8 })
  return stdout.trim()
}

/** As strict as an orchestrator can be. The host's network has PostgreSQL and the receiver. */
const containerOptions = [
  '--network=host',
  '--read-only',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
]

export interface ContainerSettings {
  image: string
  env: Readonly<Record<string, string>>
  /** Runs another program of the image. */
  entrypoint?: string
  /** Files of the host that the container reads, by their path in the container. */
  files?: Readonly<Record<string, string>>
}

function runOptions({ image, env, entrypoint, files = {} }: ContainerSettings): string[] {
  return [
    ...containerOptions,
    ...Object.entries(env).map(([name, value]) => `--env=${name}=${value}`),
    ...Object.entries(files).map(([target, source]) => `--volume=${source}:${target}:ro`),
    ...(entrypoint === undefined ? [] : [`--entrypoint=${entrypoint}`]),
    image,
  ]
}

/** Runs a command to its end and returns its output. */
export async function runContainer(settings: ContainerSettings, ...args: readonly string[]): Promise<string> {
  return podman('run', '--rm', ...runOptions(settings), ...args)
}

export async function startContainer(name: string, settings: ContainerSettings, role: string): Promise<void> {
  await podman('run', '--detach', `--name=${name}`, ...runOptions(settings), role)
}

/** Sends SIGTERM, waits up to the grace period, and returns the exit code. */
export async function stopContainer(name: string, graceSeconds: number): Promise<number> {
  await podman('stop', `--time=${graceSeconds}`, name)
  return Number(await podman('inspect', '--format={{.State.ExitCode}}', name))
}
