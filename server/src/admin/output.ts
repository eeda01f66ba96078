/** Output of the admin commands: JSON for scripts, a sentence or a table for operators. */
import type { Readable } from 'node:stream'
import { OperatorError } from '../model/errors.ts'

export interface CommandOutput {
  json: unknown
  text: string
}

/** Lines that are printed while they are read, in the same form with and without `--json`. */
export interface CommandStream {
  stream: Readable
}

/** Returns the message on success and throws the error message otherwise. */
export function result(isDone: boolean, message: string, errorMessage: string): CommandOutput {
  if (!isDone) throw new OperatorError(errorMessage)
  return { json: { success: true }, text: message }
}

/** Formats rows as a text table, and as JSON with snake_case names. */
export function table<Row extends object>(
  rows: readonly Row[],
  columns: ReadonlyArray<keyof Row & string>,
): CommandOutput {
  const json = rows.map((row) =>
    Object.fromEntries(columns.map((column) => [snakeCase(column), row[column] ?? null])),
  )
  const cells = [
    columns.map(snakeCase),
    ...rows.map((row) => columns.map((column) => formatCell(row[column]))),
  ]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)))
  const lines = cells.map((line) =>
    line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return { json, text: lines.join('\n') }
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString().replace(/\.\d+/, '')
  return Array.isArray(value) ? value.join(',') : `${value as string | number}`
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
