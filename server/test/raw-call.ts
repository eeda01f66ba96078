/** A request whose header lines and body are sent as given, and its answer with the header lines as they came. */
import { request } from 'node:http'

export interface RawRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

export interface RawAnswer {
  status: number
  /** Name and value of each line, in the order of arrival. */
  lines: Array<[name: string, value: string]>
  text: string
  /** The body read as JSON. */
  json: any // eslint-disable-line typescript/no-explicit-any -- the wire is untyped on purpose
}

export function rawCall(base: string, { method, path, headers, body }: RawRequest): Promise<RawAnswer> {
  const bytes = body === undefined ? undefined : Buffer.from(body)
  // Of itself Node sends a body of DELETE without its length.
  const length = bytes === undefined ? {} : { 'Content-Length': String(bytes.length) }
  return new Promise((resolve, reject) => {
    const sent = request(base + path, { method, headers: { ...headers, ...length }, agent: false })
    sent.once('error', reject)
    sent.once('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.once('error', reject)
      answer.once('end', () => {
        const text = Buffer.concat(chunks).toString()
        const status = answer.statusCode ?? 0
        resolve({ status, lines: inPairs(answer.rawHeaders), text, json: JSON.parse(text) })
      })
    })
    sent.end(bytes)
  })
}

function inPairs(flat: readonly string[]): Array<[string, string]> {
  return flat.flatMap((name, place) =>
    place % 2 === 0 ? [[name, flat[place + 1] ?? ''] as [string, string]] : [],
  )
}
