/**
 * Receives a request: reads it from the framework, verifies it, and returns its event. The bytes are read here, before a
 * framework parses them. If one already did, the error names it.
 */
import type { IncomingMessage } from 'node:http'
import { type CustomEventData, parse, UnreadableEvent, type WebhookEvent } from './parse.ts'
import { queryOf, type SignedRequest } from './request.ts'
import { type FailureCode, type Keys, verify } from './verify.ts'

export type ReceiveFailureCode = FailureCode | 'already_parsed' | 'too_large' | 'unreadable'

export interface ReceiveFailure {
  isValid: false
  code: ReceiveFailureCode
  message: string
  /** What to respond with. */
  status: 400 | 401 | 413 | 500
}

export type Received<Custom extends CustomEventData = never> =
  { isValid: true; event: WebhookEvent<Custom> } | ReceiveFailure

/** The event of AWS Lambda behind an API gateway or a function URL, version 1 or 2. */
export interface LambdaEvent {
  body?: string | null
  isBase64Encoded?: boolean
  headers: Record<string, string | undefined>
  httpMethod?: string
  rawQueryString?: string
  queryStringParameters?: Record<string, string | undefined> | null
  requestContext?: { http?: { method?: string } }
}

/** A request of Fastify, or of another framework that has the request of Node. */
interface WithRaw {
  raw: IncomingMessage
  body?: unknown
}

type AnyRequest = Request | IncomingMessage | WithRaw | LambdaEvent

export interface ReceiveOptions extends Keys {
  /** The URL that the webhook is registered with, to verify `x-signature`. */
  url?: string
  /** Larger than every event. */
  maxBytes?: number
}

const defaultMaxBytes = 2 * 1024 * 1024

/** Never throws for a request that is not genuine, only if the connection is lost. */
export async function receive<Custom extends CustomEventData = never>(
  request: AnyRequest,
  options: ReceiveOptions,
): Promise<Received<Custom>> {
  const read = await readRequest(request, options.maxBytes ?? defaultMaxBytes)
  if ('isValid' in read) return read
  const signed = { ...read, ...(options.url !== undefined && { url: options.url }) }
  const verification = verify(signed, options)
  if (!verification.isValid) return { ...verification, status: 401 }
  try {
    return { isValid: true, event: parse<Custom>(signed) }
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error
    return failure('unreadable', error.message, 400)
  }
}

function failure(
  code: ReceiveFailureCode,
  message: string,
  status: ReceiveFailure['status'],
): ReceiveFailure {
  return { isValid: false, code, message, status }
}

type Read = SignedRequest | ReceiveFailure

function readRequest(request: AnyRequest, maxBytes: number): Promise<Read> {
  if (typeof Request !== 'undefined' && request instanceof Request) return readWeb(request, maxBytes)
  if ('raw' in request) return readNode(request.raw, request.body, maxBytes)
  if ('httpVersion' in request) return readNode(request, (request as { body?: unknown }).body, maxBytes)
  return Promise.resolve(readLambda(request as LambdaEvent))
}

const tooLarge = (maxBytes: number) =>
  failure('too_large', `The request has more than ${maxBytes} bytes.`, 413)

async function readWeb(request: Request, maxBytes: number): Promise<Read> {
  const { method, url, headers } = request
  if (request.bodyUsed) return alreadyParsed('another reader of the request')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > maxBytes) return tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return { method, query: queryOf(url), headers: Object.fromEntries(headers), body: Buffer.concat(chunks) }
}

async function readNode(request: IncomingMessage, parsed: unknown, maxBytes: number): Promise<Read> {
  const { method = 'GET', url = '', headers } = request
  // Express strips the path that a router is mounted at from `url`.
  const address = (request as { originalUrl?: string }).originalUrl ?? url
  const query = queryOf(address)
  if (method === 'GET') return { method, query, headers, body: '' }
  // `express.raw()`, or a parser of Fastify that keeps the bytes.
  if (parsed instanceof Uint8Array || typeof parsed === 'string')
    return { method, query, headers, body: parsed }
  if (request.readableDidRead || request.complete)
    return alreadyParsed(parserOf(parsed, headers['content-type']))
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) return tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return { method, query, headers, body: Buffer.concat(chunks) }
}

function parserOf(parsed: unknown, contentType = ''): string {
  if (parsed === undefined) return 'a middleware'
  return contentType.includes('json')
    ? 'a JSON parser such as express.json()'
    : 'a form parser such as express.urlencoded()'
}

/** At once, instead of waiting for bytes that never come. */
function alreadyParsed(parser: string): ReceiveFailure {
  return failure(
    'already_parsed',
    `The body was already read by ${parser}. Add the route of the webhook before it, or use express.raw({ type: '*/*' }) for this route.`,
    500,
  )
}

function readLambda(event: LambdaEvent): SignedRequest {
  const {
    body,
    isBase64Encoded,
    headers,
    httpMethod,
    rawQueryString,
    queryStringParameters,
    requestContext,
  } = event
  const parameters = Object.entries(queryStringParameters ?? {}).map(([name, value]) => [name, value ?? ''])
  return {
    method: requestContext?.http?.method ?? httpMethod ?? 'POST',
    query: rawQueryString ?? new URLSearchParams(parameters as [string, string][]).toString(),
    headers,
    body: Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'),
  }
}
