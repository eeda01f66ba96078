/** Output: colors if the terminal shows them, tables, JSON. */
import { pad, widthOf } from './text-width.ts'

const codes = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
  dim: 2,
  bold: 1,
  inverse: 7,
} as const

export type Style = keyof typeof codes

/** Follows https://no-color.org. */
function hasColors(): boolean {
  if (process.env.NO_COLOR !== undefined && process.env.NO_COLOR !== '') return false
  if (process.env.FORCE_COLOR !== undefined && process.env.FORCE_COLOR !== '0') return true
  return process.stdout.isTTY && process.env.TERM !== 'dumb'
}

export function paint(style: Style, text: string): string {
  return hasColors() ? `\x1b[${codes[style]}m${text}\x1b[0m` : text
}

/**
 * Removes control characters from a text of others, such as the name of a webhook or the body of a response. They could
 * move the cursor or change what was printed before. Ids and counts of a response are such texts too.
 */
export function printable(text: unknown): string {
  return String(text).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}')
}

/** Characters without a shape, which JSON and YAML can escape in quoted texts. They keep some of them as they are. */
export const invisible = /[\u007f-\u009f\p{Cf}\u2028\u2029]/u

export function escapeInvisible(text: string): string {
  return text.replaceAll(new RegExp(invisible, 'gu'), (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** JSON with escapes for characters that a terminal could take for commands. */
export function toJson(value: unknown, indent?: number): string {
  return escapeInvisible(JSON.stringify(value, null, indent))
}

export function printJson(value: unknown): void {
  console.log(toJson(value, process.stdout.isTTY ? 2 : 0))
}

type Cell = string | number | boolean | null | undefined

/** Prints rows as a table, or as JSON. */
export function printTable<Row extends object>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => Cell>>,
  { json, empty }: { json: boolean | undefined; empty: string },
): void {
  if (json) return printJson(rows)
  if (rows.length === 0) return console.error(empty)
  const titles = Object.keys(columns)
  const cells = rows.map((row) => Object.values(columns).map((read) => cellText(read(row))))
  const widths = titles.map((title, index) =>
    Math.max(title.length, ...cells.map((line) => widthOf(line[index] ?? ''))),
  )
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) => pad(text, widths[index] ?? 0))
      .join('  ')
      .trimEnd()
  console.log(paint('dim', line(titles.map((title) => title.toUpperCase()))))
  for (const row of cells) console.log(line(row))
}

function cellText(value: Cell): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return printable(String(value))
}

/** Local time of day, or date and time if it was on another day. */
export function formatTime(time: string | Date, now = new Date()): string {
  const at = new Date(time)
  if (Number.isNaN(at.getTime())) return printable(time)
  const clock = at.toLocaleTimeString('en-GB')
  if (at.toDateString() === now.toDateString()) return clock
  return `${at.getDate()} ${at.toLocaleString('en-US', { month: 'short' })} ${clock}`
}
