/** All commands of the tool. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { addApply } from './commands/apply.ts'
import { addCompletion } from './commands/completion.ts'
import { addDoctor } from './commands/doctor.ts'
import { addEvents } from './commands/events.ts'
import { addListen } from './commands/listen.ts'
import { addLogin } from './commands/login.ts'
import { addOpen } from './commands/open.ts'
import { addTail } from './commands/tail.ts'
import { addTrigger } from './commands/trigger.ts'
import { addVerify } from './commands/verify.ts'
import { addWebhooks } from './commands/webhooks.ts'
import { exitCodes } from './errors.ts'

export function createProgram(): Command {
  const program = new Command('hookline')
    .description('Receive webhooks on your machine, and manage those of your account.')
    .version(readVersion(), '-V, --version')
    .option('--profile <name>', 'use this profile (default: HOOKLINE_PROFILE, or the current one)')
    .option('--json', 'print JSON for scripts')
    .showHelpAfterError('Run with --help for all options.')
    .exitOverride()
    .addHelpText('after', () => {
      const codes = Object.entries(exitCodes).map(
        ([name, code]) => `${code} ${describeCode[name as keyof typeof exitCodes]}`,
      )
      return `\nExit codes: 0 success, ${codes.join(', ')}.\nEnvironment: HOOKLINE_API_KEY with HOOKLINE_URL, HOOKLINE_PROFILE, HOOKLINE_CONFIG_DIR, NO_COLOR.`
    })
  addLogin(program)
  addListen(program)
  addTrigger(program)
  addWebhooks(program)
  addApply(program)
  addEvents(program)
  addTail(program)
  addVerify(program)
  addOpen(program)
  addDoctor(program)
  addCompletion(program)
  return program
}

const describeCode: Record<keyof typeof exitCodes, string> = {
  failure: 'unexpected error',
  usage: 'wrong usage',
  unauthorized: 'not signed in or not allowed',
  notFound: 'not found',
  rejected: 'rejected',
  unreachable: 'service unreachable or overloaded',
  checkFailed: 'check failed, or changes to apply',
  interrupted: 'interrupted',
}

function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return manifest.version
}
