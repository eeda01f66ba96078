/** What the operator's tool answers: fields for scripts, a sentence or a table for people. */
import type { Readable } from 'node:stream'
import { Advice } from '../model/errors.ts'

export interface Answer {
  json: unknown
  text: string
}

/** Lines that are printed as they are read, the same for scripts and people. */
export interface Printed {
  stream: Readable
}

export function done(isDone: boolean, sentence: string, otherwise: string): Answer {
  if (!isDone) throw new Advice(otherwise)
  return { json: { success: true }, text: sentence }
}

/** Rows for people as a table, for scripts with the names of the wire. */
export function rows<Row extends object>(
  found: readonly Row[],
  columns: ReadonlyArray<keyof Row & string>,
): Answer {
  const json = found.map((row) =>
    Object.fromEntries(columns.map((column) => [snakeCase(column), row[column] ?? null])),
  )
  const cells = [columns.map(snakeCase), ...found.map((row) => columns.map((column) => shown(row[column])))]
  const widths = columns.map((_, place) => Math.max(...cells.map((line) => line[place]?.length ?? 0)))
  const lines = cells.map((line) =>
    line
      .map((cell, place) => cell.padEnd(widths[place] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return { json, text: lines.join('\n') }
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString().replace(/\.\d+/, '')
  return Array.isArray(value) ? value.join(',') : `${value as string | number}`
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
