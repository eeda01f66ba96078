/**
 * A thin client over fetch, typed by the OpenAPI document: paths, parameters, bodies and responses. Every failure is thrown
 * as an ApiError. Calls that get no response, a 429 or an error of the service are retried. Each POST has an idempotency
 * key, so a retry has no further effect.
 */
import type { paths } from './api-types.ts'
import { ApiError, type ErrorCode, type ErrorDetails } from './errors.ts'
import { isTemporary, retryDelayMs, sleep } from './retry.ts'

type Verb = 'get' | 'post' | 'delete'

/** The paths that have a verb. */
export type PathOf<V extends Verb> = {
  [P in keyof paths]: paths[P] extends Record<V, object> ? P : never
}[keyof paths]

type Operation<V extends Verb, P extends PathOf<V>> = paths[P] extends Record<V, infer O> ? O : never

/** The body of a successful response. */
export type ResponseBody<V extends Verb, P extends PathOf<V>> =
  Operation<V, P> extends { responses: { 200: { content: { 'application/json': infer A } } } } ? A : never

/** Optional properties may also be undefined, which omits them. */
type Loosely<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Name in keyof T]: {} extends Pick<T, Name> ? Loosely<T[Name]> | undefined : Loosely<T[Name]> }
    : T

type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer B } } }
  ? { body: Loosely<B> }
  : { body?: never }
type PathValuesOf<O> = O extends { parameters: { path: infer P } } ? { path: P } : { path?: never }
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? { query?: Loosely<Q> } : { query?: never }

/** The path parameters, query and body of a call, as far as it has them. */
export type RequestOptions<V extends Verb, P extends PathOf<V>> = BodyOf<Operation<V, P>> &
  PathValuesOf<Operation<V, P>> &
  QueryOf<Operation<V, P>> &
  CallOptions

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** Max time for each try, until the response is complete. Default: that of the client. */
  timeoutMs?: number | undefined
  /** Default: that of the client. */
  maxRetries?: number | undefined
  /** For a POST that is repeated by another process or after a restart. Default: a random key per call. */
  idempotencyKey?: string | undefined
}

export type Arguments<V extends Verb, P extends PathOf<V>> =
  {} extends RequestOptions<V, P> ? [input?: RequestOptions<V, P>] : [input: RequestOptions<V, P>]

export interface Client {
  get: <P extends PathOf<'get'>>(path: P, ...input: Arguments<'get', P>) => Promise<ResponseBody<'get', P>>
  post: <P extends PathOf<'post'>>(
    path: P,
    ...input: Arguments<'post', P>
  ) => Promise<ResponseBody<'post', P>>
  delete: <P extends PathOf<'delete'>>(
    path: P,
    ...input: Arguments<'delete', P>
  ) => Promise<ResponseBody<'delete', P>>
  /** Returns a successful response with its body unread, for streams. */
  open: (path: keyof paths, input?: Pick<AnyInput, 'query' | 'signal'>) => Promise<Response>
}

export interface ClientOptions {
  /** Where the service is, such as `https://hooks.example.com`. */
  baseUrl: string
  apiKey?: string
  /** The access token of an authorized OAuth app, or a function that returns a current one. */
  token?: string | (() => Promise<string>)
  /** The CSRF token, for calls of a browser with the session cookie. */
  csrf?: () => string | undefined
  /** How often a call is repeated that may succeed later. Default: 2. */
  maxRetries?: number
  /** Max time for each try, until the response is complete. Default: 60 seconds. */
  timeoutMs?: number
}

const defaultMaxRetries = 2
const defaultTimeoutMs = 60_000
/** A call that would have to wait longer fails at once. */
const maxRetryAfterSeconds = 30

/** Throws a TypeError if an option cannot work. The message never has the credential. */
function checkOptions({ baseUrl, apiKey, token }: ClientOptions): void {
  if (!/^https?:\/\/./i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new TypeError(`baseUrl must be a URL such as https://hooks.example.com, not "${baseUrl}".`)
  for (const [name, value] of Object.entries({ apiKey, token }))
    if (typeof value === 'string' && !/^[!-~]+$/.test(value))
      throw new TypeError(`${name} is empty, or has characters that no ${name} has. Is its variable set?`)
}

export function createClient(options: ClientOptions): Client {
  checkOptions(options)
  const call = (verb: Verb) => (path: string, input?: AnyInput) => send(options, verb, path, input ?? {})
  // Client has a type for each method; the implementation is one function.
  const open: Client['open'] = async (path, input = {}) => {
    const response = await request(options, 'get', path, input)
    if (!response.ok) await readResponse(response, input.signal)
    return response
  }
  return { get: call('get'), post: call('post'), delete: call('delete'), open } as unknown as Client
}

type Scalar = string | number | boolean

interface AnyInput extends CallOptions {
  path?: Record<string, Scalar>
  query?: Record<string, Scalar | null | undefined>
  body?: unknown
}

async function send(options: ClientOptions, verb: Verb, path: string, given: AnyInput): Promise<unknown> {
  const maxRetries = given.maxRetries ?? options.maxRetries ?? defaultMaxRetries
  const input = { timeoutMs: options.timeoutMs ?? defaultTimeoutMs, ...given }
  // Browsers have randomUUID only on secure pages.
  if (verb === 'post' && maxRetries > 0) input.idempotencyKey ??= crypto.randomUUID()
  for (let retries = 0; ; retries++)
    try {
      return await readResponse(await request(options, verb, path, input), input.signal)
    } catch (error) {
      if (!(error instanceof ApiError) || retries >= maxRetries || !isTemporary(error)) throw error
      if ((error.retryAfterSeconds ?? 0) > maxRetryAfterSeconds) throw error
      await sleep(retryDelayMs(error, retries), input.signal)
      input.signal?.throwIfAborted()
    }
}

async function request(options: ClientOptions, verb: Verb, path: string, input: AnyInput): Promise<Response> {
  const headers = await headersOf(options, verb, input)
  const url = urlOf(options.baseUrl, path, input)
  const body = input.body === undefined ? undefined : JSON.stringify(input.body)
  const { signal, timeoutMs } = input
  const signals = [
    ...(signal === undefined ? [] : [signal]),
    ...(timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)]),
  ]
  try {
    return await fetch(url, {
      method: verb.toUpperCase(),
      // Headers with the credential would go to the other server.
      redirect: 'error',
      headers,
      ...(body !== undefined && { body }),
      ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(
      isTimeout(error) ? 'The service did not respond in time.' : 'The service could not be reached.',
      { status: 0, cause: error },
    )
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

function urlOf(baseUrl: string, path: string, { path: values = {}, query = {} }: AnyInput): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name])
    // These would lead to another path.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`The ${name} of ${path} is "${value}".`)
    return encodeURIComponent(value)
  })
  const url = new URL(filled, baseUrl)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
  return url
}

async function headersOf(
  { apiKey, token, csrf }: ClientOptions,
  verb: Verb,
  { body, idempotencyKey }: AnyInput,
): Promise<Headers> {
  const headers = new Headers({ accept: 'application/json' })
  if (apiKey !== undefined) headers.set('x-api-key', apiKey)
  if (token !== undefined)
    headers.set('authorization', `Bearer ${typeof token === 'function' ? await token() : token}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  const proof = verb === 'get' ? undefined : csrf?.()
  if (proof !== undefined) headers.set('x-csrf-token', proof)
  return headers
}

async function readResponse(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  const text = await response.text().catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ApiError('The connection was lost during the response.', { status: 0 })
  })
  const body = parseOrUndefined(text) as
    | {
        success?: boolean
        code?: ErrorCode
        error_message?: string
        field?: string
        details?: ErrorDetails
      }
    | undefined
    | null
  if (response.ok && typeof body === 'object' && body !== null && body.success !== false) return body
  throw new ApiError(body?.error_message ?? `The service responded with status ${response.status}.`, {
    status: response.status,
    ...(body?.code !== undefined && { code: body.code }),
    ...(body?.field !== undefined && { field: body.field }),
    ...(body?.details !== undefined && { details: body.details }),
    requestId: response.headers.get('x-request-id'),
    retryAfter: response.headers.get('retry-after'),
  })
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
