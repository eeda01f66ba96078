import type { IncomingMessage } from 'node:http'
import { readBytes } from './read-web.ts'
import { alreadyParsed, type ReceiveFailure } from './receive-failure.ts'
import { queryOf, type SignedRequest } from './request.ts'

/** A request of Fastify, or of another framework that has the request of Node. */
export interface RequestWithRaw {
  raw: IncomingMessage
  body?: unknown
  rawBody?: unknown
}

/** What frameworks add to a request. */
interface Parsed {
  body?: unknown
  /** The bytes, kept by a parser: of NestJS, Google Cloud Functions, or an option of `express.json()`. */
  rawBody?: unknown
  /** Express strips the path that a router is mounted at from `url`. */
  originalUrl?: string
}

export async function readNode(
  request: IncomingMessage | RequestWithRaw,
  maxBytes: number,
): Promise<SignedRequest | ReceiveFailure> {
  const stream = 'raw' in request ? request.raw : request
  const { body: parsed, rawBody, originalUrl } = request as Parsed
  const { method = 'GET', url = '', headers } = stream
  const query = queryOf(originalUrl ?? url)
  if (method === 'GET') return { method, query, headers, body: '' }
  // `express.raw()`, or a parser of Fastify that keeps the bytes.
  for (const bytes of [rawBody, parsed])
    if (bytes instanceof Uint8Array || typeof bytes === 'string')
      return { method, query, headers, body: bytes }
  if (stream.readableDidRead || stream.readableEnded)
    return 'raw' in request ? parsedByFastify() : parsedByExpress(parsed, headers['content-type'])
  // The default would close the connection at the limit, without a response.
  const read = await readBytes(stream.iterator({ destroyOnReturn: false }), maxBytes)
  return read instanceof Uint8Array ? { method, query, headers, body: read } : read
}

function parsedByFastify(): ReceiveFailure {
  return alreadyParsed(
    'a parser of Fastify',
    "Keep the bytes: app.removeAllContentTypeParsers(), then app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => done(null, body)).",
  )
}

function parsedByExpress(parsed: unknown, contentType = ''): ReceiveFailure {
  const advice = "Add the route of the webhook before it, or use express.raw({ type: '*/*' }) for this route."
  if (parsed === undefined) return alreadyParsed('a middleware', advice)
  return alreadyParsed(
    contentType.includes('json')
      ? 'a JSON parser such as express.json()'
      : 'a form parser such as express.urlencoded()',
    advice,
  )
}
