/** Finds the signed-in user by the session cookie of a call. */
import type { IncomingMessage } from 'node:http'
import { csrfTokenOf, findSession } from '../../identity/sessions/sessions.ts'
import type { ApiDeps, SessionUser } from '../operation/operation.ts'
import { sessionToken } from './session-cookie.ts'

export async function findSessionUser(
  { db, vault, baseUrl }: ApiDeps,
  headers: IncomingMessage['headersDistinct'],
): Promise<SessionUser | undefined> {
  const token = sessionToken(headers, baseUrl)
  if (token === undefined) return undefined
  const session = await findSession(db, vault, token)
  return session && { ...session, csrfToken: csrfTokenOf(vault, token) }
}
