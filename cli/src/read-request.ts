/** Reads a request from text: request line, headers, an empty line, body. Lines may end with LF or CRLF. */
import type { SignedRequest } from '@hookline/receiver'
import { CliError, exitCodes } from './errors.ts'

/** The part of a request target after the question mark. */
export function queryOf(target: string): string {
  return target.split('?').slice(1).join('?')
}

/** A file that was recorded for too long has several requests, and one that was copied may lack a part. */
function checkLength(header: string | undefined, body: Buffer): void {
  const length = /^\d{1,9}$/.test(header ?? '') ? Number(header) : body.length
  const isNext = /^\s*(?:GET|POST) \S+ HTTP\/1/.test(body.subarray(length).toString('latin1'))
  if (isNext)
    throw new CliError('Standard input has more than one request.', {
      exitCode: exitCodes.usage,
      hint: 'Keep only the first one.',
    })
  if (body.length < length && body.length > 0)
    throw new CliError(`The body is not complete: it has ${body.length} of ${length} bytes.`, {
      exitCode: exitCodes.usage,
    })
}

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
  checkLength(headers['content-length'], body)
  return { method, query: queryOf(target), headers, body, ...(URL.canParse(target) && { url: target }) }
}
