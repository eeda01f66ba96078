/**
 * The public server. Every call to `/api` takes the same steps: read parameters, authenticate, count, verify the signature, find the
 * operation, authorize, handle, respond. Errors are thrown and turned into responses in one place.
 */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../db/database.ts'
import { type RateLimitState, countCall } from '../identity/accounts/api-rate-limit.ts'
import type { ImportedKeys } from '../identity/keys/imported-keys.ts'
import type { Usage } from '../identity/keys/usage.ts'
import { type Caller, hasScope } from '../model/caller.ts'
import { ApiError } from '../model/errors.ts'
import { hasAllRights, type Member } from '../model/role.ts'
import { networkOf, plainIp } from '../model/ip.ts'
import { canaryPath } from '../model/own-targets.ts'
import type { Log } from '../runtime/log.ts'
import { type AccountLimiters, limiterKey } from './operation/account-limiter.ts'
import { type ApiRoute, apiRoutes, contractPath, findOperation, verbsOf } from './api-routes.ts'
import { type Authenticate, credentialsMissing } from './auth/authenticate.ts'
import type { CredentialSource } from './auth/credential.ts'
import { digestOf, isLogin } from './auth/digest.ts'
import { withoutLogin } from './auth/parameter-key.ts'
import { deprecationHeaders } from './server/deprecation.ts'
import { isActionDialect, effectiveVerb, rejectUnsafeChange } from './operation/dialect.ts'
import { type StatusMode, errorStatus } from './server/envelope.ts'
import { findSessionUser } from './auth/current-session.ts'
import { requireRole } from './auth/require-role.ts'
import { handleOnce, idempotencyKeyOf } from './operation/handle-once.ts'
import type { QueryLimiter } from './operation/query-limiter.ts'
import { readInput } from './operation/input.ts'
import type { RecentCallers } from './auth/recent-callers.ts'
import { createListener } from './server/listener.ts'
import { addOAuth } from './oauth/mount.ts'
import { openApiDocument } from './openapi.ts'
import type { ApiDeps, Operation, SessionUser } from './operation/operation.ts'
import { serveDashboard, webFolder } from './server/dashboard-files.ts'
import { type Params, readParams } from './operation/contract-params.ts'
import { rateHeaders } from './server/rate-headers.ts'
import { addReferencePage } from './server/reference-page.ts'
import type { RejectedCallers } from './auth/rejected-callers.ts'
import { securityHeaders } from './server/security-headers.ts'
import { serialize } from './server/serialize.ts'
import { type SignedCall, verifySignature } from './auth/signed-calls.ts'
import { verifyCsrfToken, verifyFetchSite, verifyOrigin } from './auth/session-cookie.ts'
import { addSsoCallback } from './sso/callback-route.ts'
import { addConfirmChannel } from './server/confirm-channel-route.ts'
import { addTestReceiver } from './server/test-receiver-route.ts'
import { addUnsubscribe } from './server/unsubscribe-route.ts'
import type { UnreadResponses } from './server/unread-responses.ts'

export interface PublicServerDeps extends ApiDeps {
  /** Connections for operations without required credentials. */
  anonymousDb: Database
  authenticate: Authenticate
  importedKeys: Pick<ImportedKeys, 'mayInclude' | 'includes'>
  usage: Usage
  log: Log
  trustedProxies: readonly string[]
  callsPerMinute: number
  originalStatuses: boolean
  queryLimiter: QueryLimiter
  accountLimiters: AccountLimiters
  rejectedCallers: RejectedCallers
  recentCallers: RecentCallers
  unreadResponses: UnreadResponses
}

/** State of a call, filled step by step. Error response and log line depend on it. */
interface CallContext {
  /** Path of the API route, if one matched. */
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

/** More than three times the max size of all webhook parameters, percent-encoded. */
const bodyLimitBytes = 128 * 1024

const favicon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M11 2v7.5a3.5 3.5 0 1 1-7 0V8" fill="none" stroke="#4263eb" stroke-width="2" stroke-linecap="round"/><circle cx="11" cy="2.5" r="1.5" fill="#4263eb"/></svg>'

export async function createPublicServer(deps: PublicServerDeps): Promise<FastifyInstance> {
  const app = createListener({
    log: deps.log,
    trustedProxies: deps.trustedProxies,
    headers: securityHeaders(deps.baseUrl),
    bodyLimitBytes,
    logFields: ({ context }) => ({
      operation: context?.operation?.id,
      account: context?.caller?.accountId,
      credential: context?.caller?.kind,
      key: context?.caller?.keyId,
      app: context?.caller?.appId,
    }),
    errorStatus: (rejection, request) => errorStatus(rejection, statusMode(deps, request)),
    isContract,
  })
  app.addHook('onRequest', async (request) => {
    request.context = {}
  })

  const publicDeps = { ...deps, db: deps.anonymousDb }
  for (const route of apiRoutes)
    app.route({
      method: route.verb,
      url: route.path,
      handler: (request, reply) => respond(isPublic(route) ? publicDeps : deps, route, request, reply),
    })

  const dashboard = await serveDashboard(app, webFolder)
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request.url)
    const isApi = path === '/api' || path.startsWith('/api/')
    if (isApi) await admitCaller(deps, request, reply)
    else if (dashboard.sendNotFound(request, reply)) return reply
    const verbs = verbsOf(path)
    if (verbs.length > 0)
      throw new ApiError('methodNotAllowed', `Method not allowed. Use ${verbs.join(', ')}.`, {
        headers: { allow: verbs.join(', ') },
        details: { allowed: verbs },
      })
    throw routeNotFound()
  })

  await addOAuth(app, deps)
  await addStaticRoutes(app, deps.baseUrl)
  addTestReceiver(app, deps)
  addUnsubscribe(app, deps)
  addConfirmChannel(app, deps)
  addSsoCallback(app, publicDeps)
  return app
}

function isContract({ url }: FastifyRequest): boolean {
  return pathOf(url) === contractPath
}

/** The dashboard expects HTTP statuses. An error before authentication follows the installation. */
function statusMode({ originalStatuses }: PublicServerDeps, request: FastifyRequest): StatusMode {
  const { caller, params } = request.context ?? {}
  if (!isContract(request) || caller?.kind === 'session') return 'http'
  if (caller?.originalStatuses ?? originalStatuses) return 'original'
  return caller !== undefined && isActionDialect(params ?? {}) ? 'action' : 'http'
}

/** Adds the API reference, the OpenAPI document, the favicon and the target of the canary. */
async function addStaticRoutes(app: FastifyInstance, baseUrl: URL): Promise<void> {
  let document: string | undefined
  app.post(canaryPath, async (_request, reply) => reply.status(204).send())
  app.get('/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(apiRoutes, baseUrl))
    return reply.type('application/json; charset=utf-8').send(document)
  })
  app.get('/favicon.ico', async (_request, reply) => reply.type('image/svg+xml').send(favicon))
  await addReferencePage(app, webFolder)
}

async function respond(
  deps: PublicServerDeps,
  route: ApiRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  const { path } = route
  request.context.path = path
  const { params, caller, user } = isPublic(route)
    ? await admitAnonymous(deps, request)
    : await admitCaller(deps, request, reply)
  const operation =
    path === contractPath ? contractOperationOf(route, request, params, caller) : route.operation
  // The router also matches an empty path parameter.
  const pathParams = request.params as Record<string, string>
  if (operation === undefined || Object.values(pathParams).includes('')) throw routeNotFound()
  request.context.operation = operation
  if (caller !== undefined) authorize(operation, caller)
  if (operation.needsOwnSession && user !== undefined && user.sso !== null) throw ownSessionNeeded()

  const headers = request.raw.headersDistinct
  const origin = { ip: ipOf(request), userAgent: request.headers['user-agent'] ?? '', headers }
  const input = path === contractPath ? {} : readInput({ ...requestText(request), path: pathParams })
  const isStillAllowed = () => isStillAuthorized(deps, operation, request, params, caller?.member)
  const owner = caller && limiterKey(caller)
  const limited = <T>(run: () => Promise<T>): Promise<T> =>
    caller === undefined ? run() : runLimited(deps, operation, caller, run)
  const admittedAt = performance.now()
  const handle = async () => {
    // The role may have changed, or the member may have left, while the call waited.
    const hasWaited = caller?.member !== undefined && performance.now() - admittedAt > maxWaitMs
    if (hasWaited && !(await isStillAllowed())) throw changedWhileWaiting()
    if (owner !== undefined) deps.unreadResponses.rejectTooMany(owner)
    const call = {
      caller,
      user,
      params,
      input,
      origin,
      isStillAllowed,
      runLimited: limited,
      addUnread: (bytes: number) => {
        if (owner !== undefined) deps.unreadResponses.add(owner, bytes, reply.raw)
      },
    }
    const key = idempotencyKeyOf(operation, call)
    const { body, headers: responseHeaders } =
      caller === undefined || key === undefined
        ? await operation.handle(deps, call)
        : await handleOnce(operation, deps, { ...call, caller }, key)
    return { body: body instanceof Readable ? body : await serialize(body), headers: responseHeaders }
  }
  const response = await limited(handle)
  if (owner !== undefined && response.body instanceof Buffer)
    deps.unreadResponses.add(owner, response.body.length, reply.raw)
  if (response.headers) void reply.headers(response.headers)
  if (!(response.body instanceof Readable)) void reply.type('application/json; charset=utf-8')
  return response.body
}

function ownSessionNeeded(): ApiError {
  return new ApiError(
    'ssoSession',
    'This session was started by single sign-on and cannot change your login. Sign in with your password.',
  )
}

/** A call of a member that waited longer for its slot is authorized again. */
const maxWaitMs = 100

function changedWhileWaiting(): ApiError {
  return new ApiError(
    'insufficientRole',
    'Your role, your rights or your session changed while the call waited. Reload the page.',
  )
}

function routeNotFound(): ApiError {
  return new ApiError('routeNotFound', 'Not found. The API reference at /docs lists all paths.')
}

/** Returns the operation that the method or the parameter `action` requests. */
function contractOperationOf(
  { verb, path }: ApiRoute,
  { method }: FastifyRequest,
  params: Params,
  caller: Caller | undefined,
): Operation | undefined {
  const requested = effectiveVerb(verb, params)
  rejectUnsafeChange(method, requested, caller?.kind === 'session')
  return findOperation(requested, path)
}

/** Returns whether the route needs no credential. */
function isPublic({ operation }: ApiRoute): boolean {
  return operation.access === 'anyone'
}

function runLimited<T>(
  deps: PublicServerDeps,
  operation: Operation,
  caller: Caller,
  handle: () => Promise<T>,
): Promise<T> {
  return operation.isExpensive
    ? deps.queryLimiter(limiterKey(caller), handle)
    : deps.accountLimiters.handle(limiterKey(caller), handle)
}

function authorize(operation: Operation, caller: Caller): void {
  requireScope(operation, caller)
  requireRole(caller, operation.role)
}

function requireScope({ access }: Operation, caller: Caller): void {
  if (access === 'anyone' || access === 'caller') return
  if (access === 'session') {
    if (caller.kind === 'session') return
    throw new ApiError(
      'sessionRequired',
      'Requires a signed-in user. API keys and access tokens are not accepted. Use the dashboard.',
    )
  }
  if (access === 'token') {
    if (caller.kind === 'bearer') return
    throw new ApiError('insufficientScope', 'Requires the access token of an OAuth app.')
  }
  if (hasScope(caller.scopes, access)) return
  if (caller.kind !== 'bearer')
    throw new ApiError('insufficientScope', `Missing scope: this key lacks "${access}".`)
  const challenge = `Bearer realm="hookline", error="insufficient_scope", scope="${access}"`
  throw new ApiError('insufficientScope', `Missing scope: this access token lacks "${access}".`, {
    headers: { 'www-authenticate': challenge },
  })
}

/** Returns the path as the router sees it: decoded, without the host of an absolute-form request. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? ''
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

interface AdmittedCall {
  params: Params
  caller?: Caller
  user?: SessionUser | undefined
}

/** Admits a call without required credentials. Calls that can change data must come from a page of this service. */
async function admitAnonymous(deps: PublicServerDeps, request: FastifyRequest): Promise<AdmittedCall> {
  const headers = request.raw.headersDistinct
  if (request.method !== 'GET') verifyOrigin(headers, deps.baseUrl)
  return { params: {}, user: await findSessionUser(deps, headers) }
}

/** Reads parameters, authenticates, counts the call and verifies its signature. Runs before the operation is known. */
async function admitCaller(
  deps: PublicServerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AdmittedCall> {
  const { context } = request
  const { query, ...body } = requestText(request)
  // Outside the contract the body belongs to the operation, and credentials are in headers or the query.
  const readsBody = context.path === undefined || context.path === contractPath
  const params = readParams({ query, ...(readsBody ? body : { contentType: undefined, body: undefined }) })
  context.params = params
  const headers = request.raw.headersDistinct
  const source = await resolveLogin(deps, sourceOf(request, params))
  const rejected = deps.rejectedCallers.find(source)
  if (rejected !== undefined) {
    context.caller = rejected.caller
    void reply.headers(deprecationHeaders(rejected.caller, deps.baseUrl))
    throw rejected.rejection
  }
  const { caller, user } = await identifyLimited(deps, source)
  if (user !== undefined && request.method !== 'GET') {
    verifyOrigin(headers, deps.baseUrl)
    verifyCsrfToken(headers, user.csrfToken)
  } else if (user !== undefined) verifyFetchSite(headers)
  if (caller === undefined) throw credentialsMissing()
  context.caller = caller
  deps.usage.record(caller)
  void reply.headers(deprecationHeaders(caller, deps.baseUrl))
  void reply.headers(rateHeaders(await countLimited(deps, source, caller)))
  await verifySignature(deps, caller, signedCallOf(deps, request))
  return { params, caller, user }
}

/**
 * Removes `u` if `p` is an imported key, as `u` is ignored beside a key of Hookline: otherwise a client could pose as
 * many callers by changing `u`. An imported key looks like a password, so only a lookup can tell. The lookup does not
 * depend on `u`, so its duration reveals nothing about logins.
 */
async function resolveLogin(deps: PublicServerDeps, source: CredentialSource): Promise<CredentialSource> {
  const { importedKeys, recentCallers, rejectedCallers, accountLimiters } = deps
  const asKey = withoutLogin(source)
  const key = asKey?.params.p
  if (asKey === undefined || key === undefined || recentCallers.has(digestOf(source))) return source
  if (rejectedCallers.find(asKey) !== undefined || recentCallers.has(digestOf(asKey))) return asKey
  if (!(await importedKeys.mayInclude(key))) return source
  const isKey = await accountLimiters.identifyUnknown(networkOf(source.ip), () => importedKeys.includes(key))
  return isKey ? asKey : source
}

/**
 * Identifies the caller. Callers identified before skip the limiter. Lookups of new callers have a low concurrency limit,
 * shared fairly between networks, so that a flood of invalid keys does not occupy the database. Login and password calls
 * wait in the hash queue instead.
 */
async function identifyLimited(
  deps: PublicServerDeps,
  source: CredentialSource,
): ReturnType<typeof identify> {
  const { accountLimiters, recentCallers } = deps
  const digest = digestOf(source)
  const identifyNow = () => accountLimiters.identify(digest, () => identify(deps, source))
  const isUnknown = !isLogin(source) && !recentCallers.has(digest)
  const identified = isUnknown
    ? await accountLimiters.identifyUnknown(networkOf(source.ip), identifyNow)
    : await identifyNow()
  if (identified.caller !== undefined) recentCallers.add(digest)
  return identified
}

/** Counts the call against the rate limit of its account. Caches a caller that exceeds the limit. */
async function countLimited(
  deps: PublicServerDeps,
  source: CredentialSource,
  caller: Caller,
): Promise<RateLimitState> {
  const { db, accountLimiters, rejectedCallers, callsPerMinute } = deps
  const { accountId } = caller
  const reject = (seconds: number, rejectionFor: (secondsLeft: number) => ApiError): ApiError => {
    rejectedCallers.add(source, seconds, { caller, rejectionFor })
    return rejectionFor(seconds)
  }
  let rate: RateLimitState
  try {
    const by = caller.kind === 'session' ? 'users' : 'clients'
    rate = await accountLimiters.count(limiterKey(caller), () => countCall(db, accountId, by, callsPerMinute))
  } catch (error) {
    throw error instanceof ApiError ? reject(1, () => error) : error
  }
  if (rate.isExceeded) throw reject(rate.secondsLeft, (secondsLeft) => rateLimited({ ...rate, secondsLeft }))
  return rate
}

function rateLimited(rate: RateLimitState): ApiError {
  return new ApiError(
    'rateLimited',
    `Rate limit exceeded: ${rate.limit} calls per minute for this account.`,
    {
      retryAfterSeconds: rate.secondsLeft,
      headers: rateHeaders(rate),
      details: { limit: rate.limit },
    },
  )
}

async function identify(deps: PublicServerDeps, source: CredentialSource) {
  const { headers } = source
  const explicit = await deps.authenticate(source)
  // Browsers add the session cookie automatically, so an explicit credential takes precedence.
  const user = explicit === undefined ? await findSessionUser(deps, headers) : undefined
  return { caller: explicit ?? (user && callerOf(user)), user }
}

/** Checks access during a long response. Detects revoked keys, revoked sessions and removed scopes. */
async function isStillAuthorized(
  deps: PublicServerDeps,
  operation: Operation,
  request: FastifyRequest,
  params: Params,
  member: Member | undefined,
): Promise<boolean> {
  try {
    const { caller } = await identify(deps, await resolveLogin(deps, sourceOf(request, params)))
    if (caller === undefined) return false
    authorize(operation, caller)
    return member === undefined || hasAllRights(caller.member, member)
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** The role of a signed-in user decides, not a scope. */
function callerOf({ accountId, loginId, member }: SessionUser): Caller {
  return { accountId, loginId, member, kind: 'session', scopes: ['all'] }
}

function sourceOf(request: FastifyRequest, params: Params): CredentialSource {
  return { headers: request.raw.headersDistinct, params, ip: ipOf(request) }
}

/**
 * Behind a trusted proxy, protocol and host are those that the proxy reports. Only hosts of the service count: deliveries
 * are signed in the same way, so the signature of one to another host would be valid for a call that names this host.
 */
function signedCallOf({ baseUrl, hookLimits }: PublicServerDeps, request: FastifyRequest): SignedCall {
  const { protocol, host, hostname, method, url } = request
  const reported = hookLimits.targetUrl.ownHosts.has(hostname) ? [`${protocol}://${host}${url}`] : []
  return {
    headers: request.raw.headersDistinct,
    method,
    urls: [...new Set([...reported, `${baseUrl.origin}${url}`])],
    body: requestText(request).body,
  }
}

function ipOf(request: FastifyRequest): string {
  return plainIp(request.ip) ?? 'unknown'
}

function requestText(request: FastifyRequest) {
  return {
    query: request.url.split('?').slice(1).join('?'),
    contentType: request.headers['content-type'],
    body: Buffer.isBuffer(request.body) ? request.body : undefined,
  }
}
