import { createInterface } from 'node:readline/promises'
import { CliError, exitCodes } from './errors.ts'

/** Asks before something that cannot be undone. Without a terminal, the user must have said so. */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CliError(`${question} Nobody can answer here.`, {
      exitCode: exitCodes.usage,
      hint: 'Add --yes.',
    })
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [y/N] `)
  terminal.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Canceled.')
}
