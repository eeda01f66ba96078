/** Reads a request from text: request line, headers, an empty line, body. Lines may end with LF or CRLF. */
import type { SignedRequest } from '@hookline/receiver'
import { CliError, exitCodes } from './errors.ts'

export function readRequest(input: Buffer): SignedRequest {
  const end = /\r?\n\r?\n/.exec(input.toString('latin1'))
  const head = input.toString('latin1').slice(0, end?.index).split(/\r?\n/)
  const body = end === null ? Buffer.alloc(0) : input.subarray(end.index + end[0].length)
  const [, method, target] = /^([A-Z]+) (\S+)/.exec(head[0] ?? '') ?? []
  if (method === undefined || target === undefined)
    throw new CliError(
      'Standard input is not a request. It starts with a line such as "POST /webhooks HTTP/1.1".',
      {
        exitCode: exitCodes.usage,
      },
    )
  const headers = Object.fromEntries(
    head.slice(1).flatMap((line) => {
      const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? []
      return name === undefined ? [] : [[name.toLowerCase(), value?.trim() ?? '']]
    }),
  )
  const query = target.split('?').slice(1).join('?')
  return { method, query, headers, body, ...(URL.canParse(target) && { url: target }) }
}
