/** What a call to `/api` can do: who may, with which parameters, and what it answers. The OpenAPI document reads these. */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Provider } from 'oidc-provider'
import { z } from 'zod'
import type { Database } from '../db/database.ts'
import type { HookRules } from '../hooks/judge-hook.ts'
import type { PasswordParts } from '../identity/accounts/authenticate-login.ts'
import type { LoginThrottle } from '../identity/accounts/login-throttle.ts'
import type { Passwords } from '../identity/accounts/passwords.ts'
import type { Session } from '../identity/sessions/sessions.ts'
import type { Caller, Scope } from '../model/caller.ts'
import { type ErrorName, Refusal } from '../model/errors.ts'
import type { Event } from '../model/event.ts'
import type { Afterwards } from '../ops/afterwards.ts'
import type { Clock } from '../ops/clock.ts'
import type { Mail } from '../ops/mail.ts'
import type { Tail } from '../pipeline/tail.ts'
import type { Vault } from '../vault/vault.ts'
import type { Input } from './input.ts'
import type { Params } from './params.ts'

/** What operations work with. */
export interface ApiParts {
  db: Database
  /** The database's time. */
  clock: Pick<Clock, 'now'>
  vault: Vault
  passwords: Passwords
  throttle: LoginThrottle
  oauth: Provider
  hookRules: HookRules
  tail: Tail
  /** Tells workers and tails of events that are committed; nobody depends on it. */
  announce: (events: readonly Event[]) => void
  /** For those who should know soon; nobody depends on it. */
  onHooksChanged: (accountId: number) => void
  /** Time zone of `created`. */
  timeZone: string
  baseUrl: URL
  onFailedLogin: PasswordParts['onFailedLogin']
  /** What an answer does not wait for. */
  afterwards: Afterwards
  /** Undefined: this installation sends none. */
  mail: Mail | undefined
  /** How people reach the operator, in words for them. */
  operatorContact: string | undefined
  /** Whether people may open accounts by themselves. */
  selfRegistration: boolean
}

/** Who may make a call: a credential with this scope, a person who is signed in, or anybody. */
export type Access = Scope | 'person' | 'anyone'

/** A sign-in in the browser that made a call. */
export interface Person extends Session {
  csrfToken: string
}

/** Where a call came from. */
export interface Origin {
  ip: string
  userAgent: string
  headers: IncomingMessage['headersDistinct']
}

interface Call {
  /** The parameters as the contract reads them. */
  params: Params
  /** What calls beyond the contract are given. */
  input: Input
  caller?: Caller | undefined
  person?: Person | undefined
  origin: Origin
  /** For answers that last: whether the caller could make this call now. */
  isStillAllowed: () => Promise<boolean>
}

interface Answer {
  body: ({ success: true; code: null } & Record<string, unknown>) | Readable
  headers?: Record<string, string | string[]>
}

export interface Operation {
  id: string
  /** The heading under which it stands in the reference. */
  group: string
  summary: string
  description: string
  access: Access
  params: z.ZodObject
  answer: z.ZodObject
  /** Failures of this operation, besides those every call can meet. */
  failures: readonly ErrorName[]
  /** Of an answer that is no JSON object but a stream; `answer` describes what each part of it holds. */
  mediaType?: string
  /** It may look at much: an account can have few of these under way at once. */
  isHeavy?: true
  handle: (parts: ApiParts, call: Call) => Promise<Answer>
}

type Described = Omit<Operation, 'access' | 'params' | 'answer' | 'handle'>

interface Fields {
  [name: string]: unknown
}

type Own<Schema extends z.ZodObject, Answered extends z.ZodObject, Given> = Described & {
  params: Schema
  /** What the answer holds besides `success` and `code`. */
  answer: Answered
  handle: (
    parts: ApiParts,
    call: { input: z.infer<Schema>; origin: Origin } & Given,
  ) => Promise<z.infer<Answered> | Headed<z.infer<Answered>>>
}

/** An answer that needs headers of its own. */
export class Headed<Body> {
  readonly body: Body
  readonly headers: Record<string, string | string[]>

  constructor(body: Body, headers: Record<string, string | string[]>) {
    this.body = body
    this.headers = headers
  }
}

/** An operation of the contract: its parameters are read as existing clients send them. */
export function contractOperation(
  access: Scope,
  own: Omit<Operation, 'access' | 'handle'> & {
    handle: (parts: ApiParts, call: { caller: Caller; params: Params }) => Promise<Answer>
  },
): Operation {
  return {
    ...own,
    access,
    handle: (parts, { caller, params }) => own.handle(parts, { caller: present(caller), params }),
  }
}

/** For a credential with a scope, or a person, who may do everything that the account can. */
export function scopedOperation<Schema extends z.ZodObject, Answered extends z.ZodObject>(
  access: Scope,
  own: Own<Schema, Answered, { caller: Caller }>,
): Operation {
  return operation(access, own, ({ caller }) => ({ caller: present(caller) }))
}

/** For a person who is signed in: API keys and tokens are refused. */
export function personOperation<Schema extends z.ZodObject, Answered extends z.ZodObject>(
  own: Own<Schema, Answered, { person: Person }>,
): Operation {
  return operation('person', own, ({ person }) => ({ person: present(person) }))
}

/** For anybody; whoever is signed in is known to it. */
export function openOperation<Schema extends z.ZodObject, Answered extends z.ZodObject>(
  own: Own<Schema, Answered, { person: Person | undefined }>,
): Operation {
  return operation('anyone', own, ({ person }) => ({ person }))
}

/** For a credential with a scope, or a person: answers with server-sent events, for as long as both sides like. */
export function streamOperation<Schema extends z.ZodObject>(
  access: Scope,
  own: Described & {
    params: Schema
    answer: z.ZodObject
    handle: (
      parts: ApiParts,
      call: Pick<Call, 'origin' | 'isStillAllowed'> & { caller: Caller; input: z.infer<Schema> },
    ) => Promise<Readable>
  },
): Operation {
  return {
    ...own,
    access,
    mediaType: 'text/event-stream',
    async handle(parts, { caller, input, origin, isStillAllowed }) {
      const given = { caller: present(caller), input: parseParams(own.params, input), origin, isStillAllowed }
      return { body: await own.handle(parts, given), headers: streamHeaders }
    },
  }
}

/** For a person who is signed in: answers with a file, however long it is. */
export function downloadOperation<Schema extends z.ZodObject>(
  mediaType: string,
  own: Described & {
    params: Schema
    answer: z.ZodObject
    handle: (
      parts: ApiParts,
      call: Pick<Call, 'isStillAllowed'> & { person: Person; input: z.infer<Schema> },
    ) => Promise<{ body: Readable; headers: Record<string, string> }>
  },
): Operation {
  return {
    ...own,
    access: 'person',
    mediaType,
    handle: (parts, { person, input, isStillAllowed }) =>
      own.handle(parts, { person: present(person), input: parseParams(own.params, input), isStillAllowed }),
  }
}

/** Proxies must neither keep nor gather what is sent. */
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

function operation<Schema extends z.ZodObject, Answered extends z.ZodObject, Given>(
  access: Access,
  own: Own<Schema, Answered, Given>,
  given: (call: Call) => Given,
): Operation {
  return {
    ...own,
    access,
    answer: z.object({ success: z.literal(true), code: z.null(), ...own.answer.shape }),
    async handle(parts, call) {
      const input = parseParams(own.params, call.input)
      const answered: Fields | Headed<Fields> = await own.handle(parts, {
        input,
        origin: call.origin,
        ...given(call),
      })
      const headed = answered instanceof Headed ? answered : new Headed(answered, {})
      return { body: { success: true, code: null, ...headed.body }, headers: headed.headers }
    },
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the call was let through without who makes it')
  return value
}

export function parseParams<Schema extends z.ZodObject>(
  schema: Schema,
  params: Params | Input,
): z.infer<Schema> {
  const parsed = schema.safeParse(params)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const name = String(issue?.path[0])
  throw name in params
    ? new Refusal('parameterInvalid', `The parameter "${name}" ${issue?.message}.`)
    : new Refusal('parameterMissing', `The parameter "${name}" is missing.`)
}
