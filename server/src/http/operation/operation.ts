/** Defines an operation of `/api`: access, parameters, response, handler. The OpenAPI document is built from these. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Provider } from 'oidc-provider'
import { z } from 'zod'
import type { EventTypes } from '../../catalog/follow-event-types.ts'
import type { Database } from '../../db/database.ts'
import type { HookLimits } from '../../hooks/validate-hook.ts'
import type { PasswordDeps } from '../../identity/accounts/authenticate-login.ts'
import type { LoginThrottle } from '../../identity/accounts/login-throttle.ts'
import type { Passwords } from '../../identity/accounts/passwords.ts'
import type { Session } from '../../identity/sessions/sessions.ts'
import type { ResolveText } from '../../identity/sso/domains.ts'
import type { ProviderClient } from '../../identity/sso/provider-client.ts'
import type { Caller, Scope } from '../../model/caller.ts'
import type { Member, Role } from '../../model/role.ts'
import { describeIssue } from '../../model/describe-issue.ts'
import { type ErrorDetails, type ErrorName, ApiError } from '../../model/errors.ts'
import type { OnCommitted } from '../../delivery/accept.ts'
import type { RunInBackground } from '../../runtime/background-tasks.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Mailer } from '../../runtime/mail.ts'
import type { Tail } from '../../tail/live-tail.ts'
import type { WaitingPolls } from '../../consumers/waiting-polls.ts'
import type { Vault } from '../../vault/vault.ts'
import type { CallLimiter } from './call-limiter.ts'
import type { Input } from './input.ts'
import { serialize } from '../server/serialize.ts'
import type { Params } from './contract-params.ts'
import type { OpenExports } from './open-exports.ts'

/** Dependencies of operations. */
export interface ApiDeps {
  db: Database
  /** Follows the time of the database. */
  clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>
  vault: Vault
  passwords: Passwords
  throttle: LoginThrottle
  oauth: Provider
  hookLimits: HookLimits
  eventTypes: EventTypes
  tail: Tail
  waitingPolls: WaitingPolls
  /** Limits the reads of exports. */
  exportLimiter: CallLimiter
  openExports: OpenExports
  /** Notifies workers and tails of committed events. Best effort, neither depends on it. */
  onCommitted: OnCommitted
  /** Notifies hook caches. Best effort, they do not depend on it. */
  onHooksChanged: (accountId: number) => void
  /** Time zone of `created`. */
  timeZone: string
  baseUrl: URL
  onFailedLogin: PasswordDeps['onFailedLogin']
  /** Runs a task that the response does not wait for. */
  runInBackground: RunInBackground
  /** Undefined if this installation sends no email. */
  mail: Mailer | undefined
  /** Contact of the operator, shown to users. */
  operatorContact: string | undefined
  /** Whether anyone can create an account. */
  selfRegistration: boolean
  /** The client of identity providers, for single sign-on. */
  providers: ProviderClient
  /** Looks up the DNS records that prove domains. */
  resolveText: ResolveText
}

/** Required access: a credential with this scope, any credential, a signed-in user, an access token of any scope, or none. */
export type Access = Scope | 'caller' | 'session' | 'token' | 'anyone'

/** The session of the browser that made a call. */
export interface SessionUser extends Session {
  csrfToken: string
  /** Role and rights in the account of the session. */
  member: Member
}

/** The source of a call. */
export interface Origin {
  ip: string
  userAgent: string
  headers: IncomingMessage['headersDistinct']
}

export interface Call {
  /** Parameters of contract operations. */
  params: Params
  /** Input of all other operations. */
  input: Input
  caller?: Caller | undefined
  user?: SessionUser | undefined
  origin: Origin
  /** Checks access again during a long response. */
  isStillAllowed: () => Promise<boolean>
  /** Runs a part of a long response within the limits on concurrent calls. */
  runLimited: <T>(run: () => Promise<T>) => Promise<T>
  /** Counts bytes that the client has not read yet. */
  addUnread: (bytes: number) => void
}

export interface OperationResponse {
  body: ({ success: true; code: null } & Record<string, unknown>) | Readable
  headers?: Record<string, string | string[]>
}

export interface Operation {
  id: string
  /** Tag in the API reference. */
  group: string
  summary: string
  description: string
  access: Access
  /** Least role of a member. It applies to signed-in users and to the apps and passwords that act for them. */
  role: Role
  params: z.ZodObject
  response: z.ZodObject
  /** Errors of this operation, in addition to those of every call. */
  errors: readonly ErrorName[]
  /** Media type of a streamed response. `response` then describes one item of the stream. */
  mediaType?: string
  /** Marks operations that may read many rows. They have a lower concurrency limit per account. */
  isExpensive?: true
  /** Marks operations that would take effect again if a client repeated a call without a response. */
  takesIdempotencyKey?: true
  /**
   * Marks operations that show or change the login beyond the account, such as its password. They are rejected in sessions of
   * single sign-on, which the provider of one account can start.
   */
  needsOwnSession?: true
  /** Marks operations that store events: with a key, their transaction is marked from its start (db/ledger-write.ts). */
  storesEvents?: true
  handle: (deps: ApiDeps, call: Call) => Promise<OperationResponse>
}

type OperationInfo = Omit<Operation, 'access' | 'params' | 'response' | 'handle'>

interface Fields {
  [name: string]: unknown
}

type Definition<Schema extends z.ZodObject, Body extends z.ZodObject, Context> = OperationInfo & {
  params: Schema
  /** Fields of the response in addition to `success` and `code`. */
  response: Body
  handle: (
    deps: ApiDeps,
    call: { input: z.infer<Schema>; origin: Origin } & Context,
  ) => Promise<z.infer<Body> | ResponseWithHeaders<z.infer<Body>>>
}

type OpenDefinition<Schema extends z.ZodObject, Body extends z.ZodObject, Context> = Omit<
  Definition<Schema, Body, Context>,
  'role'
>

/** A response with additional headers. */
export class ResponseWithHeaders<Body> {
  readonly body: Body
  readonly headers: Record<string, string | string[]>

  constructor(body: Body, headers: Record<string, string | string[]>) {
    this.body = body
    this.headers = headers
  }
}

/** Defines an operation of the contract, with parameters as existing clients send them. */
export function contractOperation(
  access: Scope,
  definition: Omit<Operation, 'access' | 'handle'> & {
    handle: (deps: ApiDeps, call: { caller: Caller; params: Params }) => Promise<OperationResponse>
  },
): Operation {
  return {
    ...definition,
    access,
    handle: (deps, { caller, params }) => definition.handle(deps, { caller: required(caller), params }),
  }
}

/** Defines an operation for credentials with a scope and for signed-in users, whose role decides. */
export function scopedOperation<Schema extends z.ZodObject, Body extends z.ZodObject>(
  access: Scope,
  definition: Definition<Schema, Body, { caller: Caller }>,
): Operation {
  return operation(access, definition, ({ caller }) => ({ caller: required(caller) }))
}

/** Defines an operation for signed-in users. API keys and tokens are rejected. */
export function sessionOperation<Schema extends z.ZodObject, Body extends z.ZodObject>(
  definition: Definition<Schema, Body, { user: SessionUser }>,
): Operation {
  return operation('session', definition, ({ user }) => ({ user: required(user) }))
}

/** Defines an operation for access tokens of OAuth apps, with any scope. */
export function tokenOperation<Schema extends z.ZodObject, Body extends z.ZodObject>(
  definition: OpenDefinition<Schema, Body, { caller: Caller }>,
): Operation {
  return operation('token', { ...definition, role: 'viewer' }, ({ caller }) => ({ caller: required(caller) }))
}

/** Defines an operation for any credential and for signed-in users. */
export function callerOperation<Schema extends z.ZodObject, Body extends z.ZodObject>(
  definition: Definition<Schema, Body, { caller: Caller }>,
): Operation {
  return operation('caller', definition, ({ caller }) => ({ caller: required(caller) }))
}

/** Defines an operation without required credentials. The handler gets the signed-in user, if any. */
export function publicOperation<Schema extends z.ZodObject, Body extends z.ZodObject>(
  definition: OpenDefinition<Schema, Body, { user: SessionUser | undefined }>,
): Operation {
  return operation('anyone', { ...definition, role: 'viewer' }, ({ user }) => ({ user }))
}

/** Defines an operation that responds with server-sent events, for credentials with a scope and signed-in users. */
export function streamOperation<Schema extends z.ZodObject>(
  access: Scope,
  definition: OperationInfo & {
    params: Schema
    response: z.ZodObject
    handle: (
      deps: ApiDeps,
      call: Pick<Call, 'origin' | 'isStillAllowed'> & { caller: Caller; input: z.infer<Schema> },
    ) => Promise<Readable>
  },
): Operation {
  return {
    ...definition,
    access,
    mediaType: 'text/event-stream',
    async handle(deps, { caller, input, origin, isStillAllowed }) {
      const call = {
        caller: required(caller),
        input: parseParams(definition.params, input),
        origin,
        isStillAllowed,
      }
      return { body: await definition.handle(deps, call), headers: streamHeaders }
    },
  }
}

/**
 * Defines an operation that may wait for something to happen, for credentials with a scope and signed-in users. A handler
 * that returns a function waits in it, outside of the limits on concurrent calls.
 */
export function waitingOperation<Schema extends z.ZodObject, Body extends z.ZodObject>(
  access: Scope,
  definition: OperationInfo & {
    params: Schema
    response: Body
    handle: (
      deps: ApiDeps,
      call: Pick<Call, 'isStillAllowed' | 'runLimited'> & { caller: Caller; input: z.infer<Schema> },
    ) => Promise<z.infer<Body> | ((signal: AbortSignal) => Promise<z.infer<Body>>)>
  },
): Operation {
  return {
    ...definition,
    access,
    response: successOf(definition.response),
    async handle(deps, { caller, input, isStillAllowed, runLimited, addUnread }) {
      const call = {
        caller: required(caller),
        input: parseParams(definition.params, input),
        isStillAllowed,
        runLimited,
      }
      const result = await definition.handle(deps, call)
      if (typeof result !== 'function') return { body: { success: true, code: null, ...(result as Fields) } }
      return {
        body: readableLater(result, addUnread),
        headers: { 'content-type': 'application/json; charset=utf-8' },
      }
    },
  }
}

/** The signal is aborted when the client has disconnected. */
function readableLater(
  read: (signal: AbortSignal) => Promise<unknown>,
  addUnread: (bytes: number) => void,
): Readable {
  const disconnected = new AbortController()
  const body = new Readable({
    read() {},
    destroy(error, callback) {
      disconnected.abort()
      callback(error)
    },
  })
  const write = async (): Promise<void> => {
    const bytes = await serialize({
      success: true,
      code: null,
      ...((await read(disconnected.signal)) as Fields),
    })
    if (body.destroyed) return
    addUnread(bytes.length)
    body.push(bytes)
    body.push(null)
  }
  write().catch((error: unknown) => body.destroy(error instanceof Error ? error : new Error(String(error))))
  return body
}

/** Defines an operation that streams a file, for credentials with a scope and signed-in users, or only for these. */
export function downloadOperation<Schema extends z.ZodObject>(
  access: Scope | 'session',
  mediaType: string,
  definition: OperationInfo & {
    params: Schema
    response: z.ZodObject
    handle: (
      deps: ApiDeps,
      call: Pick<Call, 'isStillAllowed'> & { caller: Caller; input: z.infer<Schema> },
    ) => Promise<{ body: Readable; headers: Record<string, string> }>
  },
): Operation {
  return {
    ...definition,
    access,
    mediaType,
    handle: (deps, { caller, input, isStillAllowed }) =>
      definition.handle(deps, {
        caller: required(caller),
        input: parseParams(definition.params, input),
        isStillAllowed,
      }),
  }
}

/** Proxies must not cache or buffer the stream. */
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

function operation<Schema extends z.ZodObject, Body extends z.ZodObject, Context>(
  access: Access,
  definition: Definition<Schema, Body, Context>,
  select: (call: Call) => Context,
): Operation {
  return {
    ...definition,
    access,
    response: successOf(definition.response),
    async handle(deps, call) {
      const input = parseParams(definition.params, call.input)
      const result: Fields | ResponseWithHeaders<Fields> = await definition.handle(deps, {
        input,
        origin: call.origin,
        ...select(call),
      })
      const { body, headers } =
        result instanceof ResponseWithHeaders ? result : new ResponseWithHeaders(result, {})
      return { body: { success: true, code: null, ...body }, headers }
    },
  }
}

function successOf({ shape }: z.ZodObject): z.ZodObject {
  return z.object({ success: z.literal(true), code: z.null(), ...shape })
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('call admitted without a caller')
  return value
}

export function parseParams<Schema extends z.ZodObject>(
  schema: Schema,
  params: Params | Input,
): z.infer<Schema> {
  const parsed = schema.safeParse(params, { error: describeIssue })
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const name = String(issue?.path[0])
  const details = issue && detailsOf(issue)
  throw name in params
    ? new ApiError('parameterInvalid', `The parameter "${name}" ${issue?.message}.`, {
        field: name,
        ...(details && { details }),
      })
    : new ApiError('parameterMissing', `The parameter "${name}" is missing.`, { field: name })
}

/** Only for the parameter itself, because `field` does not name parts of it. */
function detailsOf(issue: z.core.$ZodIssue): ErrorDetails | undefined {
  if (issue.path.length > 1) return undefined
  if (issue.code === 'invalid_value') return { allowed: issue.values.map(String) }
  // Zod checks that an integer is safe before it checks the limit of the parameter.
  return issue.code === 'too_big' && issue.maximum !== Number.MAX_SAFE_INTEGER
    ? { max: Number(issue.maximum) }
    : undefined
}
