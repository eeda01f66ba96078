/**
 * An authorization request that waits for consent. It belongs to the browser that started it and holds the signed cookie.
 * Other browsers get "not found", even with the URL of the page.
 */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { errors, type InteractionResults, type Provider } from 'oidc-provider'
import { isAppScope } from '../../identity/oauth/app-scopes.ts'
import type { Consent } from '../../identity/oauth/provider.ts'
import { subjectOf } from '../../identity/oauth/subject.ts'
import type { Scope } from '../../model/caller.ts'
import { ApiError } from '../../model/errors.ts'
import { rejectMissingScopes } from '../auth/require-role.ts'
import type { ApiDeps, SessionUser } from '../operation/operation.ts'

type Headers = IncomingMessage['headersDistinct']

export interface AccessRequest {
  appId: string
  redirectUri: string
  scopes: Scope[]
}

export async function findInteraction(oauth: Provider, id: string, headers: Headers): Promise<AccessRequest> {
  const interaction = await oauth.interactionDetails(...exchange(headers)).catch(explainMissing)
  if (interaction.uid !== id) throw missing()
  const { client_id: appId, redirect_uri: redirectUri, scope } = interaction.params
  return {
    appId: String(appId),
    redirectUri: String(redirectUri),
    scopes: String(scope).split(' ').filter(isAppScope),
  }
}

/** Grants access and returns the URL to continue at. */
export async function allow(
  { db, oauth }: Pick<ApiDeps, 'db' | 'oauth'>,
  id: string,
  headers: Headers,
  user: SessionUser,
): Promise<string> {
  const { scopes } = await findInteraction(oauth, id, headers)
  rejectMissingScopes(user.member, scopes)
  const consent: Consent = { sessionId: user.id, scopes }
  const accountId = await subjectOf(db, user)
  return finish(oauth, headers, { login: { accountId, remember: false }, consent })
}

export async function deny(oauth: Provider, id: string, headers: Headers): Promise<string> {
  await findInteraction(oauth, id, headers)
  return finish(oauth, headers, { error: 'access_denied', error_description: 'The user denied access.' })
}

function finish(oauth: Provider, headers: Headers, result: InteractionResults): Promise<string> {
  return oauth
    .interactionResult(...exchange(headers), result, { mergeWithLastSubmission: false })
    .catch(explainMissing)
}

/** Builds a Node.js request with the cookies, because the library reads its cookie from one. */
function exchange(headers: Headers): [IncomingMessage, ServerResponse] {
  const request = new IncomingMessage(new Socket())
  request.headers.cookie = (headers.cookie ?? []).join('; ')
  return [request, new ServerResponse(request)]
}

function explainMissing(error: unknown): never {
  throw error instanceof errors.SessionNotFound ? missing() : error
}

function missing(): ApiError {
  return new ApiError(
    'notFound',
    'Authorization request not found, already answered or expired. Return to the app and try again.',
  )
}
