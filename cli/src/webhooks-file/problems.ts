/** Problems of a file, each with its line and column. All are reported at once. */
import { CliError, exitCodes } from '../errors.ts'
import { printable } from '../output.ts'

export interface Position {
  line: number
  column: number
}

export interface Problems {
  add: (at: Position, message: string) => void
  /** Ends the command if there are any. */
  report: () => void
}

const maxReported = 20

export function createProblems(path: string): Problems {
  const found: (Position & { message: string })[] = []
  return {
    // A message can be from the service.
    add: (at, message) => void found.push({ ...at, message: printable(message) }),
    report() {
      if (found.length === 0) return
      const lines = found
        .toSorted((a, b) => a.line - b.line || a.column - b.column)
        .slice(0, maxReported)
        .map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`)
      const more = found.length - lines.length
      throw new CliError([...lines, ...(more > 0 ? [`${more} more`] : [])].join('\n'), {
        exitCode: exitCodes.usage,
        hint: 'Nothing was changed. All settings: hookline apply --help',
      })
    },
  }
}
