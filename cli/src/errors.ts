/** Errors of the tool: a message, a hint with the next command, and an exit code. */
import { ApiError } from '@hookline/client'
import { paint, printable } from './output.ts'

export const exitCodes = {
  failure: 1,
  usage: 2,
  unauthorized: 3,
  notFound: 4,
  rejected: 5,
  unreachable: 6,
  /** A check that the command makes has failed: a signature is wrong, or there are changes to apply. */
  checkFailed: 7,
  /** As a shell reports a process that SIGINT ended. */
  interrupted: 130,
} as const

export class CliError extends Error {
  readonly exitCode: number
  readonly hint: string | undefined

  constructor(
    message: string,
    { exitCode = exitCodes.failure, hint }: { exitCode?: number; hint?: string } = {},
  ) {
    super(message)
    this.name = 'CliError'
    this.exitCode = exitCode
    this.hint = hint
  }
}

/** Prints an error to stderr and returns the exit code. */
export function printError(error: unknown): number {
  const described = describeError(error)
  console.error(`${paint('red', 'error')} ${described.message.split('\n').map(printable).join('\n')}`)
  if (described.hint !== undefined)
    console.error(paint('dim', `  ${described.hint.split('\n').map(printable).join('\n')}`))
  return described.exitCode
}

interface Described {
  message: string
  hint?: string | undefined
  exitCode: number
}

export function describeError(error: unknown): Described {
  if (error instanceof CliError) return error
  if (error instanceof ApiError) return { message: printable(error.message), ...describeApiError(error) }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { message: `Unexpected error. ${message}`, exitCode: exitCodes.failure }
}

function describeApiError({
  status,
  code,
  requestId,
  retryAfterSeconds,
}: ApiError): Omit<Described, 'message'> {
  if (status === 0)
    return { hint: 'Check the URL and the network: hookline doctor', exitCode: exitCodes.unreachable }
  if (status === 401) return { hint: 'Sign in again: hookline login', exitCode: exitCodes.unauthorized }
  if (status === 403)
    return { hint: 'See the account and scopes: hookline whoami', exitCode: exitCodes.unauthorized }
  if (status === 404) return { exitCode: exitCodes.notFound }
  if (status === 429 || status >= 500)
    return {
      hint: retryAfterSeconds === undefined ? `Request id: ${requestId}` : `Retry in ${retryAfterSeconds} s.`,
      exitCode: exitCodes.unreachable,
    }
  return { hint: `Error code ${code}.`, exitCode: exitCodes.rejected }
}
