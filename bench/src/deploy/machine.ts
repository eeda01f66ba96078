/** A Debian system in a folder, with its own systemd as in a virtual machine. It shares the network of the host. */
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Cleanup } from '../support/cleanup.ts'
import { succeeds } from '../support/succeeds.ts'
import { waitFor } from '../support/wait-for.ts'

const run = promisify(execFile)
const bootScript = fileURLToPath(new URL('boot-systemd.sh', import.meta.url))
const packages = ['systemd', 'dbus', 'libstdc++6']

export type Run = (command: string, ...args: readonly string[]) => Promise<string>

export interface Machine {
  /** Folder of the file system. */
  root: string
  /** Runs a command while systemd does not run. */
  chroot: Run
  /** Starts systemd. The returned function runs a command next to it. */
  boot: () => Promise<Run>
}

export async function createMachine(cleanup: Cleanup): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-machine-'))
  cleanup.push(() => rm(folder, { recursive: true, force: true }))
  const root = join(folder, 'root')
  const options = [
    '--quiet',
    '--variant=essential',
    '--dpkgopt=force-unsafe-io',
    `--include=${packages.join(',')}`,
  ]
  await run('mmdebstrap', [...options, 'bookworm', root])
  return {
    root,
    chroot: (...command) => output('chroot', [root, ...command]),
    boot: async () => {
      const pid = await boot(root, cleanup)
      const namespaces = ['--mount', '--pid', '--cgroup', '--uts', '--ipc']
      const inside: Run = (...command) =>
        output('nsenter', [`--target=${pid}`, ...namespaces, '--', ...command])
      await waitFor('systemd', () => succeeds(inside('systemctl', 'is-active', 'multi-user.target')))
      return inside
    },
  }
}

/** Returns the process id of systemd. */
async function boot(root: string, cleanup: Cleanup): Promise<number> {
  const cgroups = await createCgroups(cleanup)
  const child = spawn(bootScript, [root, ...cgroups], { stdio: 'ignore' })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  cleanup.push(async () => {
    child.kill('SIGKILL')
    await exited
  })
  let pid = 0
  await waitFor('the first process', async () => {
    pid = Number.parseInt(await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'))
    return pid > 0
  })
  return pid
}

/** systemd needs a control group of its own in its hierarchies: `unified`, and before version 2 also `systemd`. */
async function createCgroups(cleanup: Cleanup): Promise<string[]> {
  const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '))
  const hierarchies = mounts.filter(
    ([, , type, options = '']) => type === 'cgroup2' || options.split(',').includes('name=systemd'),
  )
  const cgroups = hierarchies.map(([, path]) => `${path}/hookline-machine-${process.pid}`)
  for (const cgroup of cgroups) {
    await mkdir(cgroup)
    cleanup.push(() => run('find', [cgroup, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', '+']))
  }
  return cgroups
}

async function output(command: string, args: readonly string[]): Promise<string> {
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' }
  const { stdout } = await run(command, args, { env, maxBuffer: 1e8 })
  return stdout.trim()
}
