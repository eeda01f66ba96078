/**
 * A thin client over fetch, typed by the OpenAPI document: paths, parameters, bodies and responses. Every failure is thrown
 * as an ApiError.
 */
import type { components, paths } from './api-types.ts'

/** The codes of the error catalog. */
export type ErrorCode = components['schemas']['Error']['code']

/** Data beside the message of an error. */
export type ErrorDetails = NonNullable<components['schemas']['Error']['details']>

type Verb = 'get' | 'post' | 'delete'

/** The paths that have a verb. */
type PathOf<V extends Verb> = {
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
  QueryOf<Operation<V, P>> & { signal?: AbortSignal }

type Arguments<V extends Verb, P extends PathOf<V>> =
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
}

/** A failed call. Status 0: no response arrived, so the call may or may not have had an effect. */
export class ApiError extends Error {
  readonly status: number
  /** Stable code of the error catalog. 0: the response was not one of Hookline. */
  readonly code: ErrorCode | 0
  /** The parameter at fault. */
  readonly field: string | undefined
  readonly details: ErrorDetails
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    message: string,
    response: {
      status: number
      code?: ErrorCode
      field?: string
      details?: ErrorDetails
      requestId?: string | null
      retryAfter?: string | null
    },
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = response.status
    this.code = response.code ?? 0
    this.field = response.field
    this.details = response.details ?? {}
    this.requestId = response.requestId ?? undefined
    this.retryAfterSeconds = Number(response.retryAfter) || undefined
  }
}

export function createClient(options: ClientOptions): Client {
  const call = (verb: Verb) => (path: string, input?: AnyInput) => send(options, verb, path, input ?? {})
  // Client has a type for each method; the implementation is one function.
  const open: Client['open'] = async (path, input = {}) => {
    const response = await request(options, 'get', path, input)
    if (!response.ok) await readResponse(response)
    return response
  }
  return { get: call('get'), post: call('post'), delete: call('delete'), open } as unknown as Client
}

type Scalar = string | number | boolean

interface AnyInput {
  path?: Record<string, Scalar>
  query?: Record<string, Scalar | null | undefined>
  body?: unknown
  signal?: AbortSignal
}

async function send(options: ClientOptions, verb: Verb, path: string, input: AnyInput): Promise<unknown> {
  return readResponse(await request(options, verb, path, input))
}

async function request(options: ClientOptions, verb: Verb, path: string, input: AnyInput): Promise<Response> {
  const headers = await headersOf(options, verb, input)
  try {
    return await fetch(urlOf(options.baseUrl, path, input), {
      method: verb.toUpperCase(),
      // Headers with the credential would go to the other server.
      redirect: 'error',
      headers,
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
      ...(input.signal && { signal: input.signal }),
    })
  } catch (error) {
    if (input.signal?.aborted) throw error
    throw new ApiError('The service could not be reached.', { status: 0 })
  }
}

function urlOf(baseUrl: string, path: string, { path: values = {}, query = {} }: AnyInput): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
  const url = new URL(filled, baseUrl)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
  return url
}

async function headersOf(
  { apiKey, token, csrf }: ClientOptions,
  verb: Verb,
  { body }: AnyInput,
): Promise<Headers> {
  const headers = new Headers({ accept: 'application/json' })
  if (apiKey !== undefined) headers.set('x-api-key', apiKey)
  if (token !== undefined)
    headers.set('authorization', `Bearer ${typeof token === 'function' ? await token() : token}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  const proof = verb === 'get' ? undefined : csrf?.()
  if (proof !== undefined) headers.set('x-csrf-token', proof)
  return headers
}

async function readResponse(response: Response): Promise<unknown> {
  const text = await response.text().catch(() => {
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
  if (response.ok && body !== undefined && body.success !== false) return body
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
