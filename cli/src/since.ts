import { CliError, exitCodes } from './errors.ts'

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads a duration before now, or a time. */
export function readTime(text: string, now = Date.now()): string {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (amount !== undefined && unit !== undefined)
    return new Date(now - Number(amount) * (unitMs[unit] ?? 0)).toISOString()
  const at = Date.parse(text)
  if (!Number.isNaN(at)) return new Date(at).toISOString()
  throw new CliError(`"${text}" is not a time.`, {
    exitCode: exitCodes.usage,
    hint: 'Use a duration such as 2h or 3d, or a time such as 2026-11-15T09:30.',
  })
}

/** Reads a start time for a consumer: `2h`, a time, `now`, `oldest`, or a cursor. */
export function readSince(text: string, now = Date.now()): string {
  if (text === 'now' || text === 'newest') return 'newest'
  if (text === 'oldest' || /^[\w-]{30,}$/.test(text)) return text
  return readTime(text, now)
}
