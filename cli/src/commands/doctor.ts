import { ApiError } from '@hookline/client'
import type { Command } from 'commander'
import { plain } from '../action.ts'
import { connect } from '../connect.ts'
import { CliError, exitCodes } from '../errors.ts'
import { paint, printable, printJson } from '../output.ts'
import { configFolder } from '../profiles.ts'

interface Check {
  name: string
  isOk: boolean
  message: string
}

const minNode = 22
/** Receivers accept signatures that differ from their clock by up to five minutes. */
const maxClockMs = 60_000

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check the setup: Node, the installation, the credential, the clock')
    .action(
      plain(async ({ json, profile }) => {
        const checks = await runChecks(profile)
        if (json) printJson(checks)
        else
          for (const { name, isOk, message } of checks)
            console.log(
              `${isOk ? paint('green', '✓') : paint('red', '✗')} ${name.padEnd(12)} ${printable(message)}`,
            )
        if (checks.some(({ isOk }) => !isOk)) process.exitCode = exitCodes.checkFailed
      }),
    )
}

async function runChecks(profile: string | undefined): Promise<Check[]> {
  const major = Number(process.versions.node.split('.')[0])
  const checks: Check[] = [
    {
      name: 'Node',
      isOk: major >= minNode,
      message: `${process.version}${major >= minNode ? '' : `, needs ${minNode} or newer`}`,
    },
  ]
  try {
    const { client, url, source } = await connect(profile === undefined ? {} : { profile })
    checks.push(
      { name: 'Profile', isOk: true, message: `${source}, ${configFolder()}` },
      ...(await checkClock(url)),
    )
    const { account, scopes } = await client.get('/api/caller')
    checks.push({ name: 'Account', isOk: true, message: `${account.name} (${account.id})` })
    const missing = ['hooks', 'events:read'].filter(
      (scope) => !scopes.includes('all') && !scopes.includes(scope as 'all'),
    )
    checks.push({
      name: 'Scopes',
      isOk: missing.length === 0,
      message:
        missing.length === 0 ? scopes.join(', ') : `${missing.join(' and ')} missing, which listen needs`,
    })
  } catch (error) {
    if (!(error instanceof CliError || error instanceof ApiError)) throw error
    const hint = error instanceof CliError && error.hint !== undefined ? ` ${error.hint}` : ''
    checks.push({ name: 'Sign-in', isOk: false, message: `${error.message}${hint}` })
  }
  return checks
}

async function checkClock(url: string): Promise<Check[]> {
  const startedAt = Date.now()
  let date: string | null
  try {
    date = (await fetch(new URL('/api/dashboard-config', url))).headers.get('date')
  } catch (error) {
    const { cause } = error as { cause?: { code?: string; message?: string } }
    return [
      {
        name: 'Connection',
        isOk: false,
        message: `${url} could not be reached: ${cause?.code ?? cause?.message ?? 'unknown error'}`,
      },
    ]
  }
  const ms = Date.now() - startedAt
  const connection = { name: 'Connection', isOk: true, message: `${url} responded in ${ms} ms` }
  if (date === null) return [connection]
  const differenceMs = startedAt + ms / 2 - Date.parse(date) - 500
  const seconds = Math.abs(Math.round(differenceMs / 1_000))
  const isOk = Math.abs(differenceMs) < maxClockMs
  const direction = differenceMs > 0 ? 'fast' : 'slow'
  return [
    connection,
    {
      name: 'Clock',
      isOk,
      message: isOk
        ? 'agrees with the service'
        : `${seconds} s ${direction}: receivers on this machine will reject signatures`,
    },
  ]
}
