/** Who is signed in in the browser that makes this call. */
import type { IncomingMessage } from 'node:http'
import { csrfTokenOf, findSession } from '../identity/sessions/sessions.ts'
import type { ApiParts, Person } from './operation.ts'
import { sessionToken } from './session-cookie.ts'

export async function findPerson(
  { db, vault, baseUrl }: ApiParts,
  headers: IncomingMessage['headersDistinct'],
): Promise<Person | undefined> {
  const token = sessionToken(headers, baseUrl)
  if (token === undefined) return undefined
  const session = await findSession(db, vault, token)
  return session && { ...session, csrfToken: csrfTokenOf(vault, token) }
}
