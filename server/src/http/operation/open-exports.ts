/**
 * Limits open exports. Each holds a part of the file in memory until its client has read it, so an account has few, and
 * none stays open longer than an export may take.
 */
import { Readable } from 'node:stream'
import { maxExportMs } from '../../events/export-events.ts'
import { ApiError } from '../../model/errors.ts'

export interface OpenExports {
  /** Streams the lines. Destroys the stream, and with it the connection, if it is still open after the time limit. */
  open: (accountId: number, lines: AsyncIterable<string>) => Readable
}

export const maxOpenExports = 2
const defaults = { maxPerAccount: maxOpenExports, maxTotal: 50, maxMs: maxExportMs + 5_000 }

export function createOpenExports({ maxPerAccount, maxTotal, maxMs } = defaults): OpenExports {
  const exports = new Map<Readable, number>()
  return {
    open(accountId, lines) {
      const ofAccount = [...exports.values()].filter((id) => id === accountId)
      if (ofAccount.length >= maxPerAccount)
        throw new ApiError(
          'tooManyExports',
          `Export limit of ${maxPerAccount} reached. Wait until one ends, or cancel one.`,
          { retryAfterSeconds: 5, details: { limit: maxPerAccount } },
        )
      if (exports.size >= maxTotal)
        throw new ApiError('unavailable', 'This process has too many open exports.', { retryAfterSeconds: 5 })
      const stream = Readable.from(lines, { objectMode: false })
      exports.set(stream, accountId)
      const timer = setTimeout(() => stream.destroy(), maxMs).unref()
      stream.once('close', () => {
        clearTimeout(timer)
        exports.delete(stream)
      })
      return stream
    },
  }
}
