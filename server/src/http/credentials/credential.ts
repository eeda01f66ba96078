/** What the five kinds of credential have in common. */
import type { IncomingMessage } from 'node:http'
import type { Caller, CredentialKind } from '../../model/caller.ts'
import type { Params } from '../params.ts'

/** Where credentials can stand in a request. */
export interface CredentialSource {
  /** Every header line by itself: Node would drop or join repeated ones. */
  headers: IncomingMessage['headersDistinct']
  params: Params
  ip: string
}

/** A credential as it was sent, not verified yet. */
export interface Presented {
  kind: CredentialKind
  secret: string
  login?: string
}

export interface Credential {
  kind: CredentialKind
  find: (source: CredentialSource) => Presented[]
  verify: (presented: Presented, ip: string) => Promise<Caller>
}

/** The credentials of `Authorization` lines with one of the schemes, compared in any case. */
export function authorizationSecrets(source: CredentialSource, scheme: string): string[] {
  return authorizationLines(source)
    .filter((line) => line.scheme === scheme)
    .map((line) => line.secret)
}

export function authorizationLines(source: CredentialSource): Array<{ scheme: string; secret: string }> {
  const lines = (source.headers.authorization ?? []).filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const [scheme = '', ...rest] = line.trim().split(/[ \t]+/)
    return { scheme: scheme.toLowerCase(), secret: rest.join(' ') }
  })
}
