/**
 * The public listener. Every call to `/api` goes the same way: read parameters, authenticate, count, find the
 * operation, authorize, act, present. What goes wrong on that way is thrown and answered in one place.
 */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../db/database.ts'
import { type CallRate, countCall } from '../identity/accounts/call-rate.ts'
import type { Usage } from '../identity/keys/usage.ts'
import { type Caller, grants } from '../model/caller.ts'
import { Refusal } from '../model/errors.ts'
import { plainIp } from '../model/ip.ts'
import type { Log } from '../ops/log.ts'
import type { AccountCalls } from './account-calls.ts'
import type { CallTurns } from './call-turns.ts'
import { type ApiRoute, apiRoutes, contractPath, findOperation, verbsOf } from './api-routes.ts'
import { type Authenticate, credentialsMissing } from './authenticate.ts'
import type { CredentialSource } from './credentials/credential.ts'
import { deprecationHeaders } from './deprecation.ts'
import { isActionDialect, meantVerb } from './dialect.ts'
import { failureStatus } from './envelope.ts'
import { findPerson } from './find-person.ts'
import type { HeavyCalls } from './heavy-calls.ts'
import { readInput } from './input.ts'
import { createListener } from './listener.ts'
import { addOAuth } from './oauth/mount.ts'
import { openApiDocument } from './openapi.ts'
import type { ApiParts, Operation, Person } from './operation.ts'
import { addPages, webFolder } from './pages.ts'
import { type Params, readParams } from './params.ts'
import { rateHeaders } from './rate-headers.ts'
import { addReferencePage } from './reference-page.ts'
import type { RefusedCallers } from './refused-callers.ts'
import { securityHeaders } from './security-headers.ts'
import { serialize } from './serialize.ts'
import { judgeCsrfToken, judgeOrigin } from './session-cookie.ts'

export interface AppParts extends ApiParts {
  /** Connections for calls that anybody may make. */
  strangersDb: Database
  authenticate: Authenticate
  usage: Usage
  log: Log
  trustedProxies: readonly string[]
  callsPerMinute: number
  heavyCalls: HeavyCalls
  accountCalls: AccountCalls
  refusedCallers: RefusedCallers
}

/** What is known of a call so far: its answer and its log line depend on how far it came. */
interface CallContext {
  /** The route that was called, if it is one of the API's. */
  path?: string
  params?: Params
  caller?: Caller
  operation?: Operation
}

declare module 'fastify' {
  interface FastifyRequest {
    context: CallContext
  }
}

/** All parameters of a webhook at their longest, percent-encoded, fit more than three times. */
const bodyLimitBytes = 128 * 1024

const favicon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M11 2v7.5a3.5 3.5 0 1 1-7 0V8" fill="none" stroke="#4263eb" stroke-width="2" stroke-linecap="round"/><circle cx="11" cy="2.5" r="1.5" fill="#4263eb"/></svg>'

export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const app = createListener({
    log: parts.log,
    trustedProxies: parts.trustedProxies,
    headers: securityHeaders(parts.baseUrl),
    bodyLimitBytes,
    logFields: ({ context }) => ({
      operation: context?.operation?.id,
      account: context?.caller?.accountId,
      credential: context?.caller?.kind,
      key: context?.caller?.keyId,
      app: context?.caller?.appId,
    }),
    failureStatus: (refusal, { context }) =>
      failureStatus(
        refusal,
        context?.path === contractPath &&
          context.caller !== undefined &&
          isActionDialect(context.params ?? {}),
      ),
  })
  app.addHook('onRequest', async (request) => {
    request.context = {}
  })

  for (const route of apiRoutes)
    app.route({
      method: route.verb,
      url: route.path,
      handler: (request, reply) => answerCall(parts, route, request, reply),
    })

  const pages = await addPages(app, webFolder)
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request.url)
    const isApi = path === '/api' || path.startsWith('/api/')
    if (isApi) await admit(parts, request, reply)
    else if (pages.answerNotFound(request, reply)) return reply
    const verbs = verbsOf(path)
    if (verbs.length > 0)
      throw new Refusal('methodNotAllowed', `Only ${verbs.join(', ')} can be used here.`, {
        headers: { allow: verbs.join(', ') },
      })
    throw new Refusal('unknownPath', 'There is nothing at this path.')
  })

  await addOAuth(app, parts)
  await addReference(app, parts.baseUrl)
  return app
}

/** What describes the API to people and programs, and where the canary ends. */
async function addReference(app: FastifyInstance, baseUrl: URL): Promise<void> {
  const document = openApiDocument(apiRoutes, baseUrl)
  app.post('/canary', async (_request, reply) => reply.status(204).send())
  app.get('/openapi.json', async () => document)
  app.get('/favicon.ico', async (_request, reply) => reply.type('image/svg+xml').send(favicon))
  await addReferencePage(app)
}

async function answerCall(
  parts: AppParts,
  route: ApiRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  const { verb, path } = route
  request.context.path = path
  const isOpen = route.operation.access === 'anyone'
  const used = isOpen ? { ...parts, db: parts.strangersDb } : parts
  const known = isOpen ? await meet(used, request) : await admit(parts, request, reply)
  const { params, caller, person } = known
  const operation = path === contractPath ? findOperation(meantVerb(verb, params), path) : route.operation
  // The router takes nothing at all for an id too.
  const inPath = request.params as Record<string, string>
  if (operation === undefined || Object.values(inPath).includes(''))
    throw new Refusal('unknownPath', 'There is nothing at this path.')
  request.context.operation = operation
  if (caller !== undefined) judgeAccess(operation, caller)

  const headers = request.raw.headersDistinct
  const origin = { ip: ipOf(request), userAgent: request.headers['user-agent'] ?? '', headers }
  const input = path === contractPath ? {} : readInput({ ...textOf(request), path: inPath })
  const isStillAllowed = () => mayStill(parts, operation, request, params)
  const handle = async () => {
    const call = { caller, person, params, input, origin, isStillAllowed }
    const { body, headers: own } = await operation.handle(used, call)
    return { body: body instanceof Readable ? body : await serialize(body), headers: own }
  }
  const answer = await (caller === undefined
    ? handle()
    : turnsFor(parts, operation, caller)(caller.accountId, handle))
  if (answer.headers) void reply.headers(answer.headers)
  if (!(answer.body instanceof Readable)) void reply.type('application/json; charset=utf-8')
  return answer.body
}

function turnsFor({ heavyCalls, accountCalls }: AppParts, operation: Operation, caller: Caller): CallTurns {
  if (operation.isHeavy) return heavyCalls
  return caller.kind === 'session' ? accountCalls.handlePeople : accountCalls.handle
}

function judgeAccess({ access }: Operation, caller: Caller): void {
  if (access === 'anyone') return
  if (access === 'person') {
    if (caller.kind === 'session') return
    throw new Refusal(
      'personRequired',
      'This is done by a person who is signed in to the developer area, not with an API key or a token.',
    )
  }
  if (grants(caller.scopes, access)) return
  if (caller.kind !== 'bearer') throw new Refusal('notAllowed', `This key lacks the scope "${access}".`)
  const challenge = `Bearer realm="hookline", error="insufficient_scope", scope="${access}"`
  throw new Refusal('notAllowed', `This access token lacks the scope "${access}".`, {
    headers: { 'www-authenticate': challenge },
  })
}

/** The path as the router reads it: decoded, and without the host that a request to a proxy has. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').split('?', 1)[0] ?? ''
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

interface Known {
  params: Params
  caller?: Caller
  person?: Person | undefined
}

/** A call that anybody may make. One that could change something must come from a page of ours. */
async function meet(parts: AppParts, request: FastifyRequest): Promise<Known> {
  const headers = request.raw.headersDistinct
  if (request.method !== 'GET') judgeOrigin(headers, parts.baseUrl)
  return { params: {}, person: await findPerson(parts, headers) }
}

/** Everything that happens to a call before it is known what it wants. */
async function admit(parts: AppParts, request: FastifyRequest, reply: FastifyReply): Promise<Known> {
  const { context } = request
  const { query, ...body } = textOf(request)
  // Beyond the contract a body is the operation's own, and credentials stand in headers or the query.
  const isContract = context.path === undefined || context.path === contractPath
  const params = readParams({ query, ...(isContract ? body : { contentType: undefined, body: undefined }) })
  context.params = params
  const headers = request.raw.headersDistinct
  const source = sourceOf(request, params)
  const refused = parts.refusedCallers.find(source)
  if (refused !== undefined) {
    context.caller = refused.caller
    void reply.headers(deprecationHeaders(refused.caller, parts.baseUrl))
    throw refused.refusal
  }
  const { caller, person } = await identify(parts, source)
  if (person !== undefined && request.method !== 'GET') {
    judgeOrigin(headers, parts.baseUrl)
    judgeCsrfToken(headers, person.csrfToken)
  }
  if (caller === undefined) throw credentialsMissing()
  context.caller = caller
  parts.usage.record(caller)
  void reply.headers(deprecationHeaders(caller, parts.baseUrl))
  void reply.headers(rateHeaders(await countedCall(parts, source, caller)))
  return { params, caller, person }
}

/** Counts the call against the limits of its account. A caller over them is remembered. */
async function countedCall(parts: AppParts, source: CredentialSource, caller: Caller): Promise<CallRate> {
  const { db, accountCalls, refusedCallers, callsPerMinute } = parts
  const { accountId } = caller
  const refuse = (seconds: number, refusalFor: (secondsLeft: number) => Refusal): Refusal => {
    refusedCallers.add(source, seconds, { caller, refusalFor })
    return refusalFor(seconds)
  }
  let rate: CallRate
  try {
    rate = await accountCalls.count(accountId, () => countCall(db, accountId, callsPerMinute))
  } catch (error) {
    throw error instanceof Refusal ? refuse(1, () => error) : error
  }
  if (rate.isOver) throw refuse(rate.secondsLeft, (secondsLeft) => rateLimited({ ...rate, secondsLeft }))
  return rate
}

function rateLimited(rate: CallRate): Refusal {
  return new Refusal('rateLimited', `The account made more than ${rate.limit} calls in this minute.`, {
    retryAfterSeconds: rate.secondsLeft,
    headers: rateHeaders(rate),
  })
}

async function identify(parts: AppParts, source: CredentialSource) {
  const { headers } = source
  const explicit = await parts.authenticate(source)
  // A sign-in beside an explicit credential is what a browser adds by itself: it does not count.
  const person = explicit === undefined ? await findPerson(parts, headers) : undefined
  return { caller: explicit ?? (person && callerOf(person)), person }
}

/** Asked while an answer lasts: a key that was revoked, a session that was ended, a scope that was taken away. */
async function mayStill(
  parts: AppParts,
  operation: Operation,
  request: FastifyRequest,
  params: Params,
): Promise<boolean> {
  try {
    const { caller } = await identify(parts, sourceOf(request, params))
    if (caller === undefined) return false
    judgeAccess(operation, caller)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** A person may do everything that the account can. */
function callerOf({ accountId, loginId }: Person): Caller {
  return { accountId, loginId, kind: 'session', scopes: ['all'] }
}

function sourceOf(request: FastifyRequest, params: Params): CredentialSource {
  return { headers: request.raw.headersDistinct, params, ip: ipOf(request) }
}

function ipOf(request: FastifyRequest): string {
  return plainIp(request.ip) ?? 'unknown'
}

function textOf(request: FastifyRequest) {
  return {
    query: request.url.split('?').slice(1).join('?'),
    contentType: request.headers['content-type'],
    body: Buffer.isBuffer(request.body) ? request.body : undefined,
  }
}
