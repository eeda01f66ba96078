/**
 * A thin client over fetch, typed by the API's description: `client.get('/api/keys')` knows what comes back, and
 * `client.post('/api/keys', { body })` what must go in. Whatever goes wrong is thrown as one kind of failure.
 */
import type { paths } from './api-types.ts'

type Verb = 'get' | 'post' | 'delete'

/** The paths that can be called with a verb. */
type PathOf<V extends Verb> = {
  [P in keyof paths]: paths[P] extends Record<V, object> ? P : never
}[keyof paths]

type Operation<V extends Verb, P extends PathOf<V>> = paths[P] extends Record<V, infer O> ? O : never

/** What a call answers with when it succeeds. */
export type Answer<V extends Verb, P extends PathOf<V>> =
  Operation<V, P> extends { responses: { 200: { content: { 'application/json': infer A } } } } ? A : never

/** What may be left out may also be named without a value: it is left out then. */
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

/** What a call takes: values of its path, its query and its body, as far as it has them. */
export type Input<V extends Verb, P extends PathOf<V>> = BodyOf<Operation<V, P>> &
  PathValuesOf<Operation<V, P>> &
  QueryOf<Operation<V, P>> & { signal?: AbortSignal }

type Arguments<V extends Verb, P extends PathOf<V>> =
  {} extends Input<V, P> ? [input?: Input<V, P>] : [input: Input<V, P>]

export interface Client {
  get: <P extends PathOf<'get'>>(path: P, ...input: Arguments<'get', P>) => Promise<Answer<'get', P>>
  post: <P extends PathOf<'post'>>(path: P, ...input: Arguments<'post', P>) => Promise<Answer<'post', P>>
  delete: <P extends PathOf<'delete'>>(
    path: P,
    ...input: Arguments<'delete', P>
  ) => Promise<Answer<'delete', P>>
}

export interface ClientOptions {
  /** Where the service is, such as `https://hooks.example.com`. */
  baseUrl: string
  apiKey?: string
  /** The access token of an app that a customer has authorized. */
  token?: string
  /** In a browser with the sign-in cookie: the token that proves a call was made by our own page. */
  csrf?: () => string | undefined
}

/** A call that did not succeed. `status` 0 means that no answer came, so nobody knows whether the call arrived. */
export class ApiFailure extends Error {
  readonly status: number
  /** From the error catalogue; stable. 0 where the answer was not ours. */
  readonly code: number
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    message: string,
    about: { status: number; code?: number; requestId?: string | null; retryAfter?: string | null },
  ) {
    super(message)
    this.name = 'ApiFailure'
    this.status = about.status
    this.code = about.code ?? 0
    this.requestId = about.requestId ?? undefined
    this.retryAfterSeconds = Number(about.retryAfter) || undefined
  }
}

export function createClient(options: ClientOptions): Client {
  const call = (verb: Verb) => (path: string, input?: AnyInput) => send(options, verb, path, input ?? {})
  // The types of the three stand in Client; inside they are one function.
  return { get: call('get'), post: call('post'), delete: call('delete') } as unknown as Client
}

type Scalar = string | number | boolean

interface AnyInput {
  path?: Record<string, Scalar>
  query?: Record<string, Scalar | null | undefined>
  body?: unknown
  signal?: AbortSignal
}

async function send(options: ClientOptions, verb: Verb, path: string, input: AnyInput): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(addressOf(options.baseUrl, path, input), {
      method: verb.toUpperCase(),
      headers: headersOf(options, verb, input),
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
      ...(input.signal && { signal: input.signal }),
    })
  } catch (error) {
    if (input.signal?.aborted) throw error
    throw new ApiFailure('The service could not be reached.', { status: 0 })
  }
  return readAnswer(response)
}

function addressOf(baseUrl: string, path: string, { path: values = {}, query = {} }: AnyInput): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
  const url = new URL(filled, baseUrl)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
  return url
}

function headersOf({ apiKey, token, csrf }: ClientOptions, verb: Verb, { body }: AnyInput): Headers {
  const headers = new Headers({ accept: 'application/json' })
  if (apiKey !== undefined) headers.set('x-api-key', apiKey)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  const proof = verb === 'get' ? undefined : csrf?.()
  if (proof !== undefined) headers.set('x-csrf-token', proof)
  return headers
}

async function readAnswer(response: Response): Promise<unknown> {
  const answer = (await response.json().catch(() => undefined)) as
    { success?: boolean; code?: number; error_message?: string } | undefined
  if (response.ok && answer !== undefined && answer.success !== false) return answer
  throw new ApiFailure(answer?.error_message ?? `The service answered with status ${response.status}.`, {
    status: response.status,
    ...(answer?.code !== undefined && { code: answer.code }),
    requestId: response.headers.get('x-request-id'),
    retryAfter: response.headers.get('retry-after'),
  })
}
