/**
 * The authorization server: OAuth 2.0 by code and PKCE, opaque tokens, nothing else. Who is signed in, and whether a person
 * agrees, is not the library's to know: every request for access ends at a person with a live session of Hookline's own,
 * and their answer is taken up once.
 */
import { generateKeyPairSync, timingSafeEqual } from 'node:crypto'
import {
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import type { Database } from '../../db/database.ts'
import type { Vault } from '../../vault/vault.ts'
import { createAdapters } from './adapters.ts'
import { appScopes, isAppScope } from './app-scopes.ts'
import { secretDigest } from './apps.ts'
import { accessTokenSeconds, codeSeconds, grantSeconds, interactionSeconds } from './lifetimes.ts'

export interface ProviderParts {
  db: Database
  vault: Vault
  baseUrl: URL
  /** Whether the session in which a person agreed is still there. */
  isSignedIn: (loginId: number, sessionId: number) => Promise<boolean>
  /** What people are shown when they cannot be sent back to the app. */
  renderError: Configuration['renderError']
}

/** What a person's answer says, and in which session it was given. */
export interface Consent extends Record<string, unknown> {
  sessionId: number
  scopes: string[]
}

export const routes = {
  authorization: '/authorize',
  token: '/token',
  revocation: '/revoke',
  introspection: '/introspect',
} as const

export function issuerOf(baseUrl: URL): string {
  return new URL('/oauth', baseUrl).href
}

export function createProvider(parts: ProviderParts): Provider {
  const provider = new CodeProvider(issuerOf(parts.baseUrl), settings(parts))
  // Behind whatever stands in front of us, addresses are made from what the mount says, which is BASE_URL.
  provider.proxy = true
  provider.Client.prototype.compareClientSecret = function compare(sent: string) {
    const kept = Buffer.from(this.clientSecret ?? '', 'hex')
    const given = secretDigest(parts.vault, sent)
    return kept.length === given.length && timingSafeEqual(kept, given)
  }
  // Anybody can register an app, so a link to us that fails at once must not be a link to them (RFC 9700, 4.11.2): before a
  // person has answered, what is wrong is shown here.
  provider.on('authorization.error', stayHere)
  provider.on('server_error', stayHere)
  return provider
}

function stayHere(ctx: KoaContextWithOIDC, error: Error): void {
  if (ctx.oidc.route !== 'authorization') return
  Object.assign(error, { allow_redirect: false })
  if (ctx.status < 400) ctx.status = 400
}

/** Answers go to the app's own address as a query, never by a fragment or a form that posts itself. */
class CodeProvider extends Provider {
  override registerResponseMode(...[name, handler]: Parameters<Provider['registerResponseMode']>): void {
    if (name === 'query') super.registerResponseMode(name, handler)
  }
}

function settings({ db, vault, baseUrl, isSignedIn, renderError }: ProviderParts): Configuration {
  return {
    adapter: createAdapters(db, vault),
    routes,
    scopes: [...appScopes],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    cookies: cookies(vault, baseUrl),
    // The library wants a key for signed tokens. None is ever issued, so this one is never used.
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    ttl: {
      Interaction: interactionSeconds,
      AuthorizationCode: codeSeconds,
      Grant: grantSeconds,
      AccessToken: (ctx) => Math.min(accessTokenSeconds, secondsOfGrant(ctx)),
      RefreshToken: secondsOfGrant,
      // Never kept, see adapters.ts.
      Session: interactionSeconds,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) =>
          client.clientAuthMethod !== 'none' && token.clientId === client.clientId,
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
    },
    interactions: { policy: [alwaysAsk()], url: (_ctx, { uid }) => `/connect/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    loadExistingGrant: (ctx) => grantOf(ctx, isSignedIn),
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    expiresWithSession: () => false,
    // The API cannot be called from pages of other origins, so neither can this.
    clientBasedCORS: () => false,
    renderError,
  }
}

function cookies(vault: Vault, baseUrl: URL): Configuration['cookies'] {
  const prefix = baseUrl.protocol === 'https:' ? '__Secure-' : ''
  const options = { httpOnly: true, sameSite: 'lax', signed: true } as const
  return {
    names: {
      interaction: `${prefix}hookline-connect`,
      resume: `${prefix}hookline-resume`,
      session: `${prefix}hookline-unused`,
    },
    // The same on every process, and never stored. Signed, because the address of the page tells what they hold.
    keys: [vault.digest('cookies', 'oauth').toString('base64url')],
    short: options,
    long: options,
  }
}

/** There is no silent way: a person is asked each time, and asking for less than one known scope is refused. */
function alwaysAsk(): interactionPolicy.Prompt {
  const { Check, Prompt } = interactionPolicy
  const ask = new Check('asked', 'a person must agree', (ctx) => {
    if (ctx.oidc.route === 'resume') return consentOf(ctx) === undefined
    judgeScopes(ctx.query.scope)
    return true
  })
  return new Prompt({ name: 'consent', requestable: true }, ask)
}

/** `offline_access` is how some clients ask for a refresh token, which every app is given. */
function judgeScopes(given: string | string[] | undefined): void {
  const asked = String(given ?? '')
    .split(' ')
    .filter((scope) => scope !== '' && scope !== 'offline_access')
  const unknown = asked.find((scope) => !isAppScope(scope))
  if (unknown !== undefined) throw new errors.InvalidScope(`there is no scope "${unknown}"`, unknown)
  if (asked.length === 0) throw new errors.InvalidScope('ask for at least one scope', '')
}

/** Made when the browser comes back with a person's answer, with exactly the scopes that the person was shown. */
async function grantOf(ctx: KoaContextWithOIDC, isSignedIn: ProviderParts['isSignedIn']) {
  const { provider, account, client } = ctx.oidc
  const consent = consentOf(ctx)
  if (consent === undefined || account === undefined || client === undefined) return undefined
  if (!(await isSignedIn(Number(account.accountId), consent.sessionId)))
    throw new errors.AccessDenied('the person has signed out')
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
  grant.addOIDCScope(consent.scopes.join(' '))
  await grant.save()
  return grant
}

function consentOf(ctx: KoaContextWithOIDC): Consent | undefined {
  return ctx.oidc.result?.consent as Consent | undefined
}

function secondsOfGrant(ctx: KoaContextWithOIDC): number {
  const exp = ctx.oidc.entities.Grant?.exp
  if (exp === undefined) throw new Error('a token is issued for a grant')
  return Math.max(1, exp - Math.floor(Date.now() / 1_000))
}
