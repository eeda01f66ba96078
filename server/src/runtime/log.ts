/**
 * The log: JSON lines on standard output. It contains no caller input: of errors only name, code and stack, because
 * messages may quote input (as PostgreSQL's do).
 */
import { type Logger, pino } from 'pino'
import { createLogOutput } from './log-output.ts'

export type Log = Logger

export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: createTimestamp(),
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError, error: describeError, req: () => undefined, res: () => undefined },
    },
    createLogOutput(),
  )
}

/** Formats the time once per millisecond: lines of a batch are written together. */
function createTimestamp(): () => string {
  let last = { at: Number.NaN, text: '' }
  return () => {
    const at = Date.now()
    if (at !== last.at) last = { at, text: `,"time":"${new Date(at).toISOString()}"` }
    return last.text
  }
}

function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error }
  return {
    name: error.name,
    ...pick(error, ['code', 'severity', 'routine', 'table', 'constraint']),
    at: framesOf(error),
  }
}

/** Returns the stack without the message, which may contain anything. */
function framesOf({ stack = '', message }: Error): string[] {
  const frames = stack.slice(stack.indexOf(message) + message.length)
  return frames.split('\n').filter((line) => line.startsWith('    at '))
}

function pick(error: Error, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(error).filter(([name]) => names.includes(name)))
}
