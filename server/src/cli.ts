#!/usr/bin/env node
/** `hookline-server`: all commands of the production build. */
import { readVersion } from './runtime/version.ts'

const help = `Usage: hookline-server <command>

Commands:
  all            serves the API and the dashboard, and delivers events
  api            serves the API and the dashboard
  worker         delivers events
  migrate        migrates the database
  admin          manages accounts, logins, keys, webhooks and more: hookline-server admin --help
  health         exits with 0 if the service with these settings is ready

Options:
  --version      prints the version
  --help         prints this text

Settings are environment variables. Secrets can also be files: MASTER_KEY_FILE=/run/secrets/master-key.
`

const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  all: startService,
  api: startService,
  worker: startService,
  migrate: () => import('./migrate.ts'),
  health: () => import('./health.ts'),
  admin: () => {
    process.argv.splice(2, 1)
    return import('./admin.ts')
  },
}

const command = process.argv[2] ?? ''
const isHelp = ['--help', '-h', 'help'].includes(command)
if (isHelp) process.stdout.write(help)
else if (command === '--version') process.stdout.write(`${await readVersion()}\n`)
else if (Object.hasOwn(commands, command)) await commands[command]?.()
else fail(command === '' ? help : `Unknown command "${command}".\n\n${help}`)

/** Loading the modules of the service takes a while, and a signal can arrive before. The service reads its role itself. */
async function startService(): Promise<void> {
  await import('./runtime/stop-signal.ts')
  await import('./main.ts')
}

function fail(text: string): void {
  process.stderr.write(text)
  process.exitCode = 2
}
