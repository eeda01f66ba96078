/** Questions in the terminal. */
import { createInterface } from 'node:readline/promises'
import { CliError, exitCodes } from './errors.ts'
import { printable } from './output.ts'

/** Asks before something that cannot be undone. Without a terminal, the user must have said so. */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CliError(`${question} Standard input is not a terminal.`, {
      exitCode: exitCodes.usage,
      hint: 'Add --yes.',
    })
  if (!/^y(es)?$/i.test((await ask(`${printable(question)} [y/N] `)).trim()))
    throw new CliError('Canceled.', { exitCode: exitCodes.interrupted })
}

/** Ctrl+C and Ctrl+D cancel. */
export async function ask(question: string, signal?: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const canceled = new Promise<never>((_, reject) => {
    const cancel = (exitCode: number) => (): void => {
      console.error()
      reject(new CliError('Canceled.', { exitCode }))
    }
    terminal.once('SIGINT', cancel(exitCodes.interrupted))
    terminal.once('close', cancel(exitCodes.interrupted))
  })
  try {
    return await Promise.race([terminal.question(question, { ...(signal && { signal }) }), canceled])
  } finally {
    terminal.removeAllListeners('close')
    terminal.close()
  }
}
