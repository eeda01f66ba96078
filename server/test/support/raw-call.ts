/** Sends a request with unmodified header lines and body, and returns the response with its raw header lines. */
import { request } from 'node:http'

export interface RawRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

export interface RawResponse {
  status: number
  /** Name and value of each header line, in order of arrival. */
  lines: Array<[name: string, value: string]>
  text: string
  /** The body parsed as JSON. */
  json: any // eslint-disable-line typescript/no-explicit-any -- the wire is untyped on purpose
}

export function rawCall(base: string, { method, path, headers, body }: RawRequest): Promise<RawResponse> {
  const bytes = body === undefined ? undefined : Buffer.from(body)
  // By default Node sends the body of a DELETE without Content-Length.
  const length = bytes === undefined ? {} : { 'Content-Length': String(bytes.length) }
  return new Promise((resolve, reject) => {
    const sent = request(base + path, { method, headers: { ...headers, ...length }, agent: false })
    sent.once('error', reject)
    sent.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString()
        const status = response.statusCode ?? 0
        resolve({ status, lines: toPairs(response.rawHeaders), text, json: JSON.parse(text) })
      })
    })
    sent.end(bytes)
  })
}

function toPairs(flat: readonly string[]): Array<[string, string]> {
  return flat.flatMap((name, index) =>
    index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as [string, string]] : [],
  )
}
