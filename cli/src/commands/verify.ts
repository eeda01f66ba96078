import { buffer } from 'node:stream/consumers'
import { type Keys, type SignedRequest, verify } from '@hookline/receiver'
import type { Command } from 'commander'
import { plain } from '../action.ts'
import { connect } from '../connect.ts'
import { CliError, exitCodes } from '../errors.ts'
import { paint, printable, printJson } from '../output.ts'
import { readRequest } from '../read-request.ts'

interface VerifyOptions {
  webhook?: string
  url?: string
  atAnyTime?: boolean
  profile?: string
  json?: boolean
}

export function addVerify(program: Command): void {
  program
    .command('verify')
    .description('verify the signature of a request from standard input, and name what is wrong with it')
    .option(
      '--webhook <id>',
      'with the secret of this webhook (default: HOOKLINE_SECRET and HOOKLINE_SIGNING_KEY)',
    )
    .option('--url <url>', 'the URL that the webhook is registered with, for x-signature')
    .option('--at-any-time', 'accept requests of any age')
    .addHelpText(
      'after',
      '\nThe request is text as it was sent: request line, headers, an empty line, body.\n\nExamples:\n  hookline verify --webhook 12 < request.txt\n  HOOKLINE_SECRET=whsec_… hookline verify --at-any-time < request.txt',
    )
    .action(plain<VerifyOptions>(run))
}

async function run(options: VerifyOptions): Promise<void> {
  const keys = await readKeys(options)
  if (process.stdin.isTTY) console.error('Paste the request, then press Ctrl+D:')
  const request: SignedRequest = {
    ...readRequest(await buffer(process.stdin)),
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
  else console.log(`${paint('red', '✗')} ${result.code}: ${printable(result.message)}`)
}

async function readKeys({ webhook, profile }: VerifyOptions): Promise<Keys> {
  if (webhook === undefined) {
    const { HOOKLINE_SECRET: secret, HOOKLINE_SIGNING_KEY: signingKey } = process.env
    if (!secret && !signingKey)
      throw new CliError('Which secret? Name a webhook, or set HOOKLINE_SECRET.', {
        exitCode: exitCodes.usage,
        hint: 'hookline verify --webhook 12 < request.txt',
      })
    return { ...(secret && { secrets: [secret] }), ...(signingKey && { signingKeys: [signingKey] }) }
  }
  const { client } = await connect(profile === undefined ? {} : { profile })
  const { secret, signing_key: signingKey } = await client.get('/api/hooks/{id}/secret', {
    path: { id: Number(webhook) },
  })
  return { secrets: [secret], signingKeys: [signingKey] }
}
