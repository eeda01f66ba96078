import { buffer } from 'node:stream/consumers'
import { type Keys, type SignedRequest, verify } from '@hookline/receiver'
import type { Command } from 'commander'
import { plain } from '../action.ts'
import { connect } from '../connect.ts'
import { CliError, exitCodes } from '../errors.ts'
import { paint, printable, printJson } from '../output.ts'
import { readRequest } from '../read-request.ts'
import { receiveRequest } from '../receive-request.ts'

interface VerifyOptions {
  webhook?: string
  url?: string
  port?: string
  atAnyTime?: boolean
  profile?: string
  json?: boolean
}

export function addVerify(program: Command): void {
  program
    .command('verify')
    .description('verify the signature of a request, and name what is wrong with it')
    .option(
      '--webhook <id>',
      'with the secret of this webhook (default: HOOKLINE_SECRET and HOOKLINE_SIGNING_KEY)',
    )
    .option(
      '--port <port>',
      'wait for a request on this port of your machine instead of reading standard input',
    )
    .option('--url <url>', 'the URL that the webhook is registered with, for x-signature')
    .option('--at-any-time', 'accept requests of any age')
    .addHelpText(
      'after',
      '\nThe request on standard input is text as it was sent: request line, headers, an empty line, body.\n\nExamples:\n  hookline verify --webhook 12 < request.txt\n  HOOKLINE_SECRET=whsec_… hookline verify --port 3000\n  HOOKLINE_SECRET=whsec_… hookline verify --at-any-time < request.txt',
    )
    .action(plain<VerifyOptions>(run))
}

async function run(options: VerifyOptions): Promise<void> {
  const keys = await readKeys(options)
  const request: SignedRequest = {
    ...(await readInput(options)),
    ...(options.url !== undefined && { url: options.url }),
  }
  const result = verify(request, {
    ...keys,
    ...(options.atAnyTime && { toleranceSeconds: Number.POSITIVE_INFINITY }),
  })
  if (!result.isValid) process.exitCode = exitCodes.checkFailed
  if (options.json) return printJson(result)
  if (result.isValid)
    console.log(
      `${paint('green', '✓')} Valid: ${result.by} of event ${printable(result.id)}, signed at ${result.timestamp.toISOString()}.`,
    )
  else {
    console.log(`${paint('red', '✗')} ${result.code}: ${printable(result.message)}`)
    if (result.code === 'clock_off') console.error(paint('dim', '  For a saved request, add --at-any-time.'))
  }
}

async function readInput({ port }: VerifyOptions): Promise<SignedRequest> {
  if (port !== undefined) {
    if (!/^[1-9]\d{0,4}$/.test(port))
      throw new CliError(`"${port}" is not a port.`, { exitCode: exitCodes.usage })
    console.error(paint('dim', `Waiting for a request on http://localhost:${port}, Ctrl+C to stop.`))
    return receiveRequest(Number(port))
  }
  if (process.stdin.isTTY) console.error('Paste the request, then press Ctrl+D:')
  return readRequest(await buffer(process.stdin))
}

async function readKeys({ webhook, profile }: VerifyOptions): Promise<Keys> {
  if (webhook === undefined) {
    const { HOOKLINE_SECRET: secret, HOOKLINE_SIGNING_KEY: signingKey } = process.env
    if (!secret && !signingKey)
      throw new CliError('Which secret? Name a webhook, or set HOOKLINE_SECRET.', {
        exitCode: exitCodes.usage,
        hint: 'hookline verify --webhook 12 < request.txt',
      })
    if (secret?.startsWith('hlk_'))
      throw new CliError('HOOKLINE_SECRET is an API key. The secret of a webhook begins with whsec_.', {
        exitCode: exitCodes.usage,
        hint: 'It is on the page of the webhook in the dashboard: hookline open',
      })
    return { ...(secret && { secrets: [secret] }), ...(signingKey && { signingKeys: [signingKey] }) }
  }
  const { client } = await connect(profile === undefined ? {} : { profile })
  const { secret, signing_key: signingKey } = await client.get('/api/hooks/{id}/secret', {
    path: { id: Number(webhook) },
  })
  return { secrets: [secret], signingKeys: [signingKey] }
}
