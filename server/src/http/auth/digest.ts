import { createHash } from 'node:crypto'
import { cookieValues } from './cookies.ts'
import { authorizationLines, type CredentialSource } from './credential.ts'
import { holdsKey } from './parameter-key.ts'

/** With HTTPS the cookie name has a prefix. */
const sessionCookies = new Set(['hookline', '__Host-hookline'])

/**
 * Returns a digest of the secrets in a request, independent of how they are sent. The session cookie is used only
 * without another secret. All other input is ignored, so that a client cannot pose as several callers. Only the
 * digest is kept, never the secrets.
 */
export function digestOf(source: CredentialSource): string {
  const secrets = [...new Set(explicitSecrets(source))].toSorted()
  const identifying = secrets.length > 0 ? secrets : cookieValues(source.headers, sessionCookies)
  return createHash('sha256').update(JSON.stringify(identifying)).digest('base64')
}

/** Returns whether login and password are the only credential. */
export function isLogin(source: CredentialSource): boolean {
  const { u, p = '' } = source.params
  const hasPassword = u !== undefined && p.trim() !== '' && !holdsKey(source.params)
  return hasPassword && headerSecrets(source).length === 0
}

function explicitSecrets(source: CredentialSource): string[] {
  const { u, p = '' } = source.params
  const parameter = holdsKey(source.params) || p.trim() === '' ? p : JSON.stringify([u, p])
  return [...headerSecrets(source), ...(parameter.trim() === '' ? [] : [parameter])]
}

function headerSecrets(source: CredentialSource): string[] {
  return [
    ...(source.headers['x-api-key'] ?? []).map((key) => key.trim()),
    ...authorizationLines(source).map(({ secret }) => secret),
  ].filter((secret) => secret.trim() !== '')
}
