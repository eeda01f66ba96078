/** Result of an import or a dry run. */
import type { CommandOutput } from '../output.ts'
import { count } from './progress.ts'
import { type RecordKind, recordKinds } from './records.ts'

const outcomes = ['new', 'unchanged', 'deleted', 'invalid'] as const
type Outcome = (typeof outcomes)[number]

export interface Problem {
  line: number
  message: string
}

interface Warning {
  /** A text with one number, such as `webhooks use plain http`. */
  message: string
  count: number
  firstLine: number
}

export interface ImportReport {
  counts: Record<RecordKind, Record<Outcome, number>>
  /** Lines without a known kind. */
  unknownLines: number
  errorCount: number
  /** The first errors. */
  errors: Problem[]
  warnings: Map<string, Warning>
}

const maxErrors = 100
const maxPrintedErrors = 20

export function createReport(): ImportReport {
  const counts = Object.fromEntries(
    recordKinds.map((kind) => [kind, Object.fromEntries(outcomes.map((outcome) => [outcome, 0]))]),
  ) as ImportReport['counts']
  return { counts, unknownLines: 0, errorCount: 0, errors: [], warnings: new Map() }
}

export function addError(report: ImportReport, kind: RecordKind | undefined, problem: Problem): void {
  if (kind === undefined) report.unknownLines++
  else report.counts[kind].invalid++
  report.errorCount++
  if (report.errors.length < maxErrors) report.errors.push(problem)
}

export function addWarning(report: ImportReport, message: string, line: number): void {
  const warning = report.warnings.get(message)
  if (warning === undefined) report.warnings.set(message, { message, count: 1, firstLine: line })
  else warning.count++
}

export function presentReport(report: ImportReport, isDryRun: boolean, summary: string): CommandOutput {
  const warnings = [...report.warnings.values()]
  return {
    json: {
      dry_run: isDryRun,
      records: report.counts,
      unknown_lines: report.unknownLines,
      error_count: report.errorCount,
      errors: report.errors,
      warnings: warnings.map(({ message, count: times, firstLine }) => ({
        message,
        count: times,
        first_line: firstLine,
      })),
    },
    text: [
      summary,
      '',
      ...tableLines(report),
      ...(report.errorCount === 0 ? [] : ['', `Errors: ${count(report.errorCount)}`]),
      ...report.errors
        .slice(0, maxPrintedErrors)
        .map(({ line, message }) => `  line ${line}: ${printable(message)}`),
      ...(report.errorCount > maxPrintedErrors
        ? [`  and ${count(report.errorCount - maxPrintedErrors)} more; --rejects writes all to a file`]
        : []),
      ...(warnings.length === 0 ? [] : ['', 'Warnings:']),
      ...warnings.map(
        ({ message, count: times, firstLine }) => `  ${message}: ${count(times)}, first in line ${firstLine}`,
      ),
    ].join('\n'),
  }
}

function tableLines({ counts }: ImportReport): string[] {
  const rows = [
    ['record', ...outcomes],
    ...recordKinds.map((kind) => [kind, ...outcomes.map((outcome) => count(counts[kind][outcome]))]),
  ]
  return rows.map(([kind = '', ...cells]) => kind.padEnd(8) + cells.map((cell) => cell.padStart(12)).join(''))
}

/** Messages name headers and parts of filters. Control characters could change the terminal. */
function printable(message: string): string {
  return message.replaceAll(/\p{C}/gu, '?')
}
