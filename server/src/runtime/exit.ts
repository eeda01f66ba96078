import { commandLine } from '../model/command-line.ts'
import { OperatorError, ApiError } from '../model/errors.ts'

/** Ends a command with a message. An unexpected error keeps its stack trace. */
export function exitWithMessage(error: unknown): never {
  console.error(explain(error))
  process.exit(1)
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof OperatorError || error instanceof ApiError) return error.message
  const code = 'code' in error ? error.code : ''
  if (code === 'EADDRINUSE')
    return `Another process already listens (${error.message}). Stop it, or set PORT (public listener) or INTERNAL_PORT (internal listener) to a free port.`
  if (code === '42P01') return `The database is not up to date. Run \`${commandLine('migrate')}\` first.`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'PostgreSQL does not respond at DATABASE_URL. Start it (`npm run services` for local development) and retry.'
  if (code === '28P01' || code === '3D000')
    return `PostgreSQL refused the connection: ${error.message}. Check user, password and database name in DATABASE_URL.`
  return error.stack ?? error.message
}
