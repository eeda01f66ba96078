import { CliError, exitCodes } from './errors.ts'

const formats = { json: 'JSON', post: 'POST', get: 'GET' } as const

export type Format = (typeof formats)[keyof typeof formats]

export function readFormat(text: string): Format {
  const format = Object.entries(formats).find(([name]) => name === text.toLowerCase())?.[1]
  if (format !== undefined) return format
  throw new CliError(`--as must be json, post or get, not "${text}".`, { exitCode: exitCodes.usage })
}
