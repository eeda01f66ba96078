/**
 * The log: JSON lines on standard output. Nothing a caller sends is written to it: of errors only their kind, code and
 * place, because their messages may quote what was sent (PostgreSQL's do).
 */
import { type Logger, pino } from 'pino'

export type Log = Logger

export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError, error: describeError, req: () => undefined, res: () => undefined },
  })
}

function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error }
  return {
    name: error.name,
    ...pick(error, ['code', 'severity', 'routine', 'table', 'constraint']),
    at: framesOf(error),
  }
}

/** The stack without the message before it, which may hold anything. */
function framesOf({ stack = '', message }: Error): string[] {
  const frames = stack.slice(stack.indexOf(message) + message.length)
  return frames.split('\n').filter((line) => line.startsWith('    at '))
}

function pick(error: Error, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(error).filter(([name]) => names.includes(name)))
}
