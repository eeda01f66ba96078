import { Advice, Refusal } from '../model/errors.ts'

/** Ends a command with a sentence for people; an unforeseen error keeps its stack trace. */
export function exitWithMessage(error: unknown): never {
  console.error(explain(error))
  process.exit(1)
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof Advice || error instanceof Refusal) return error.message
  const code = 'code' in error ? error.code : ''
  if (code === '42P01') return 'The database is not up to date. Run `npm run migrate` first.'
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'PostgreSQL does not answer at DATABASE_URL. Start it (`npm run services` for local work) and try again.'
  if (code === '28P01' || code === '3D000') return `PostgreSQL refused the connection: ${error.message}.`
  return error.stack ?? error.message
}
