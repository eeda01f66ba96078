/**
 * A sign-in at an identity provider that has started. Only the browser that started it has the cookie, which is sealed, so
 * nothing is stored until the browser comes back. A browser has one such sign-in at a time.
 */
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Vault } from '../../vault/vault.ts'
import { cookieAttributes, hostCookieName, readCookie } from '../auth/cookies.ts'

const name = 'hookline-sso'
const lifetimeSeconds = 10 * 60

const flow = z.object({
  /** A sign-in, the link of an identity to the signed-in user, or the confirmation of an operation. */
  purpose: z.enum(['sign-in', 'link', 'confirm']),
  accountId: z.int(),
  /** The provider and the client may change in the meantime. */
  issuer: z.string(),
  clientId: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The session that links or confirms. */
  sessionId: z.int().optional(),
  returnPath: z.string(),
  /** Unix seconds. */
  startedAt: z.number(),
})

export type Flow = z.infer<typeof flow>

/**
 * A user of the provider who is not linked to a login yet, and has just signed in there. With it, the same browser can link the
 * login that it signs in with next.
 */
const unlinked = z.object({
  accountId: z.int(),
  issuer: z.string(),
  clientId: z.string(),
  subject: z.string(),
  email: z.string().optional(),
  startedAt: z.number(),
})

export type UnlinkedUser = z.infer<typeof unlinked>

interface SealedCookie<Content> {
  write: (vault: Vault, baseUrl: URL, content: Content) => string
  clear: (baseUrl: URL) => string
  /** Returns undefined without a valid cookie, or when its content is too old. */
  read: (
    vault: Vault,
    baseUrl: URL,
    headers: IncomingMessage['headersDistinct'],
    nowMs: number,
  ) => Content | undefined
}

/** One name for both, because a browser needs only one of them at a time. The context tells them apart. */
function sealedCookie<Content extends { startedAt: number }>(
  schema: z.ZodType<Content>,
  context: string,
): SealedCookie<Content> {
  return {
    write(vault, baseUrl, content) {
      const value = vault.seal(JSON.stringify(content), context).toString('base64url')
      return `${hostCookieName(baseUrl, name)}=${value}; Max-Age=${lifetimeSeconds}; ${cookieAttributes(baseUrl, 'Lax')}`
    },
    clear: (baseUrl) => `${hostCookieName(baseUrl, name)}=; Max-Age=0; ${cookieAttributes(baseUrl, 'Lax')}`,
    read(vault, baseUrl, headers, nowMs) {
      const value = readCookie(headers, hostCookieName(baseUrl, name))
      if (value === undefined) return undefined
      try {
        const read = schema.parse(JSON.parse(vault.open(Buffer.from(value, 'base64url'), context)))
        return nowMs / 1_000 - read.startedAt <= lifetimeSeconds ? read : undefined
      } catch {
        return undefined
      }
    },
  }
}

export const flowCookie = sealedCookie(flow, 'sso-flow')
export const unlinkedCookie = sealedCookie(unlinked, 'sso-unlinked')
