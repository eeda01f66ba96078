/**
 * Where the browser returns from an identity provider. Only the browser that started the flow has its cookie, and each response
 * counts once. The page says what happened, since the user comes from another site.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hashShare } from '../../identity/accounts/authenticate-login.ts'
import { confirmSession } from '../../identity/sessions/sessions.ts'
import { findConnection, isSameClient, type SsoConnection } from '../../identity/sso/connections.ts'
import { isLinked, linkIdentity, useIdentity } from '../../identity/sso/identities.ts'
import type { ProviderUser } from '../../identity/sso/provider-client.ts'
import { useState } from '../../identity/sso/used-states.ts'
import { escapeHtml } from '../../model/escape-html.ts'
import { ApiError } from '../../model/errors.ts'
import { plainIp } from '../../model/ip.ts'
import { findSessionUser } from '../auth/current-session.ts'
import { sessionCookie } from '../auth/session-cookie.ts'
import type { ApiDeps, Origin, SessionUser } from '../operation/operation.ts'
import { insertBrowserSession } from '../routes/sessions/start.ts'
import { toApiError } from '../server/envelope.ts'
import { queryOf, sendPlainPage } from '../server/plain-page.ts'
import { type Flow, flowCookie, unlinkedCookie } from './flow-cookie.ts'
import { connectionChanged, lockConnection } from './lock-connection.ts'
import { NotLinked, signInUser } from './sign-in-user.ts'
import { callbackPath, redirectUriOf } from './start-flow.ts'

/** A user who confirms signed in after the flow started, up to the difference of two clocks. */
const clockToleranceSeconds = 60

interface Arrival {
  connection: SsoConnection
  flow: Flow
  user: SessionUser | undefined
  providerUser: ProviderUser
  origin: Origin
}

export function addSsoCallback(app: FastifyInstance, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    exposeHeadRoute: false,
    url: `${callbackPath}/:id`,
    async handler(request, reply) {
      void reply.header('set-cookie', flowCookie.clear(deps.baseUrl))
      let arrival: Arrival | undefined
      try {
        arrival = await readArrival(deps, request)
        const cookie = await finish(deps, arrival)
        if (cookie !== undefined) void reply.header('set-cookie', cookie)
        return await reply.redirect(arrival.flow.returnPath, 303)
      } catch (error) {
        if (arrival !== undefined && error instanceof NotLinked)
          void reply.header('set-cookie', unlinkedCookieOf(deps, arrival))
        return sendFailure(request, reply, error)
      }
    },
  })
}

function unlinkedCookieOf(
  { vault, baseUrl }: ApiDeps,
  { connection: { accountId, issuer, clientId }, flow: { startedAt }, providerUser }: Arrival,
): string {
  const { subject, email } = providerUser
  const user = { accountId, issuer, clientId, subject, startedAt, ...(email !== undefined && { email }) }
  return unlinkedCookie.write(vault, baseUrl, user)
}

/** Returns the user of the provider, after all checks that need no knowledge of logins. */
async function readArrival(deps: ApiDeps, request: FastifyRequest): Promise<Arrival> {
  const { db, vault, baseUrl, providers, clock } = deps
  const headers = request.raw.headersDistinct
  const query = queryOf(request)
  const { id } = request.params as { id: string }
  const flow = flowCookie.read(vault, baseUrl, headers, clock.now())
  if (flow === undefined || query.get('state') !== flow.state) throw otherBrowser()
  const connection = await findConnection(db, id)
  if (connection === undefined || connection.accountId !== flow.accountId || !isSameClient(connection, flow))
    throw connectionChanged()
  if (!(await useState(db, vault, flow.state))) throw otherBrowser()
  const redirectUri = redirectUriOf(baseUrl, id)
  const response = new URL(`${redirectUri}?${query.toString()}`)
  const providerUser = await providers.redeem(
    connection,
    { ...flow, redirectUri, isConfirmation: flow.purpose === 'confirm' },
    response,
  )
  const user = await findSessionUser(deps, headers)
  const ip = plainIp(request.ip) ?? 'unknown'
  const origin = { ip, userAgent: request.headers['user-agent'] ?? '', headers }
  return { connection, flow, user, providerUser, origin }
}

/** Returns the cookie of a new session, if there is one. */
function finish(deps: ApiDeps, arrival: Arrival): Promise<string | undefined> {
  switch (arrival.flow.purpose) {
    case 'sign-in':
      return signIn(deps, arrival)
    case 'link':
      return link(deps, arrival)
    case 'confirm':
      return confirm(deps, arrival)
  }
}

async function signIn(deps: ApiDeps, arrival: Arrival): Promise<string> {
  const { db, passwords, vault, baseUrl } = deps
  const { connection, user: previous, providerUser, origin } = arrival
  const { accountId, issuer, defaultRole } = connection
  const mayJoin =
    defaultRole !== null && !(await isLinked(db, { accountId, issuer, subject: providerUser.subject }))
  const share = hashShare({ kind: 'anonymous' }, origin.ip)
  const unusableHash = mayJoin
    ? await passwords.hash(randomBytes(32).toString('base64url'), share)
    : undefined
  const { token, session } = await db.transaction().execute(async (trx) => {
    const loginId = await signInUser(trx, connection, providerUser, unusableHash)
    const input = { accountId, loginId, origin, previous, ssoIssuer: issuer }
    return insertBrowserSession({ vault }, trx, input)
  })
  return sessionCookie(baseUrl, token, session.expiresAt)
}

async function link({ db }: ApiDeps, { connection, flow, user, providerUser }: Arrival): Promise<undefined> {
  const { accountId, issuer } = connection
  if (user === undefined || user.id !== flow.sessionId || user.sso !== null) throw otherBrowser()
  const { loginId } = user
  const identity = { accountId, issuer, subject: providerUser.subject }
  await db.transaction().execute(async (trx) => {
    await lockConnection(trx, connection)
    if ((await useIdentity(trx, identity)) === loginId) return
    const details = { loginId, email: providerUser.email, by: 'user' } as const
    if (!(await linkIdentity(trx, `login:${loginId}`, identity, details)))
      throw new ApiError(
        'ssoFailed',
        'Your login, or this user of the identity provider, already has another link. Remove it first.',
      )
  })
}

/** The same user has signed in at the provider again. */
async function confirm({ db }: ApiDeps, arrival: Arrival): Promise<undefined> {
  const { connection, flow, user, providerUser } = arrival
  const { accountId, issuer } = connection
  if (user === undefined || user.id !== flow.sessionId || user.sso === null) throw otherBrowser()
  const { subject, signedInAt } = providerUser
  if (signedInAt === undefined || signedInAt < flow.startedAt - clockToleranceSeconds)
    throw new ApiError(
      'ssoFailed',
      'The identity provider does not say that you have just signed in again (auth_time). Confirm with a password instead.',
    )
  await db.transaction().execute(async (trx) => {
    if ((await useIdentity(trx, { accountId, issuer, subject })) !== user.loginId)
      throw new ApiError('ssoFailed', 'Another user has signed in at the identity provider. Start again.')
    await confirmSession(trx, user.id)
  })
}

function otherBrowser(): ApiError {
  return new ApiError(
    'ssoFailed',
    'This sign-in was started in another browser or session, has expired, or was already used. Start again.',
  )
}

function sendFailure(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const rejection = toApiError(error)
  request.failure = { code: rejection.code, error: error instanceof ApiError ? undefined : error }
  return sendPlainPage(reply, rejection.status, {
    heading: 'Single sign-on failed',
    sentence: escapeHtml(rejection.message),
    form:
      error instanceof NotLinked
        ? '<p><a href="/sign-in?link_sso=true">Sign in with your password</a></p>'
        : '<p><a href="/">Continue to Hookline</a></p>',
  })
}
