import type { Command } from 'commander'
import { OperatorError } from '../model/errors.ts'
import { readBounce, recordBounce } from '../notices/bounces.ts'
import { command, run } from './command.ts'

/** Larger than a report with the complete email. */
const maxBytes = 1024 * 1024

export function addNoticeCommands(program: Command): void {
  const notice = program.command('notice').description('emails with notices')

  command(
    notice,
    'bounce',
    'record a bounced email; reads the report of the mail server from standard input',
  ).action(
    run(async ({ db }) => {
      const bounce = readBounce(await readInput())
      const messages = bounce === undefined ? 0 : await recordBounce(db, bounce)
      // Also a success if there is nothing to record: a mail server would bounce the report otherwise.
      return {
        json: { messages },
        text: messages === 0 ? 'No sent email has bounced.' : `Recorded: ${bounce?.status}.`,
      }
    }),
  )
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new OperatorError(`The report has more than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('latin1')
}
