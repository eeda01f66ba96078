/**
 * A request for access that waits for a person's answer. It belongs to the browser that brought it: that one has the signed
 * cookie, and whoever only knows the address of the page is told that there is nothing.
 */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { errors, type InteractionResults, type Provider } from 'oidc-provider'
import type { Consent } from '../../identity/oauth/provider.ts'
import { isScope, type Scope } from '../../model/caller.ts'
import { Refusal } from '../../model/errors.ts'
import type { Person } from '../operation.ts'

type Headers = IncomingMessage['headersDistinct']

export interface AskedAccess {
  appId: string
  redirectUri: string
  scopes: Scope[]
}

export async function findInteraction(oauth: Provider, id: string, headers: Headers): Promise<AskedAccess> {
  const interaction = await oauth.interactionDetails(...exchange(headers)).catch(explainMissing)
  if (interaction.uid !== id) throw missing()
  const { client_id: appId, redirect_uri: redirectUri, scope } = interaction.params
  return {
    appId: String(appId),
    redirectUri: String(redirectUri),
    scopes: String(scope).split(' ').filter(isScope),
  }
}

/** The answer: where the browser goes on. */
export async function allow(
  oauth: Provider,
  id: string,
  headers: Headers,
  { id: sessionId, loginId }: Person,
): Promise<string> {
  const { scopes } = await findInteraction(oauth, id, headers)
  const consent: Consent = { sessionId, scopes }
  return finish(oauth, headers, { login: { accountId: String(loginId), remember: false }, consent })
}

export async function deny(oauth: Provider, id: string, headers: Headers): Promise<string> {
  await findInteraction(oauth, id, headers)
  return finish(oauth, headers, { error: 'access_denied', error_description: 'The person did not agree.' })
}

function finish(oauth: Provider, headers: Headers, result: InteractionResults): Promise<string> {
  return oauth
    .interactionResult(...exchange(headers), result, { mergeWithLastSubmission: false })
    .catch(explainMissing)
}

/** The library looks for its cookie in a request of Node's. */
function exchange(headers: Headers): [IncomingMessage, ServerResponse] {
  const request = new IncomingMessage(new Socket())
  request.headers.cookie = (headers.cookie ?? []).join('; ')
  return [request, new ServerResponse(request)]
}

function explainMissing(error: unknown): never {
  throw error instanceof errors.SessionNotFound ? missing() : error
}

function missing(): Refusal {
  return new Refusal(
    'notFound',
    'This request for access is unknown in this browser, was answered or is too old. Go back to the app and start again.',
  )
}
