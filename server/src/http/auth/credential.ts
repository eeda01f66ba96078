/** Common types of the five kinds of credential. */
import type { IncomingMessage } from 'node:http'
import type { Caller, CredentialKind } from '../../model/caller.ts'
import type { Params } from '../operation/contract-params.ts'

/** The parts of a request that can contain credentials. */
export interface CredentialSource {
  /** Separate header lines, because Node drops or joins repeated ones in `headers`. */
  headers: IncomingMessage['headersDistinct']
  params: Params
  ip: string
}

/** A credential as sent, not verified yet. */
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

/** Returns the credentials of `Authorization` lines with this scheme, ignoring case. */
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
