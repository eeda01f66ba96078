/**
 * The authorization server: OAuth 2.0 with authorization code, PKCE and opaque tokens only. The operator can exempt an app with a secret from PKCE. Sessions and consent are not
 * managed by the library. Every authorization request needs the consent of a user with a valid Hookline session, and each
 * consent is used once.
 */
import { generateKeyPairSync } from 'node:crypto'
import {
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import type { Database } from '../../db/database.ts'
import { isSameSecret } from '../../vault/is-same-secret.ts'
import type { Vault } from '../../vault/vault.ts'
import { createAdapters } from './adapters.ts'
import { appScopes, isAppScope } from './app-scopes.ts'
import { secretDigest } from './apps.ts'
import { accessTokenSeconds, codeSeconds, grantSeconds, interactionSeconds } from './lifetimes.ts'
import { parseSubject } from './subject.ts'

export interface ProviderDeps {
  db: Database
  vault: Vault
  baseUrl: URL
  /** Returns whether the session of the consent is still valid. */
  isSignedIn: (loginId: number, sessionId: number) => Promise<boolean>
  /** Renders errors for users who cannot be redirected to the app. */
  renderError: Configuration['renderError']
}

/** Consent of a user: the granted scopes and the session. */
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

export function createProvider(deps: ProviderDeps): Provider {
  const provider = new CodeProvider(issuerOf(deps.baseUrl), settings(deps))
  // URLs are built from the forwarded headers that the mount sets, which come from BASE_URL.
  provider.proxy = true
  provider.Client.prototype.compareClientSecret = function compare(sent: string) {
    return isSameSecret(secretDigest(deps.vault, sent), Buffer.from(this.clientSecret ?? '', 'hex'))
  }
  // Shows errors before the consent here instead of redirecting. Anyone can register an app, so a failing request must not
  // act as an open redirect (RFC 9700, 4.11.2).
  provider.on('authorization.error', preventRedirect)
  provider.on('server_error', preventRedirect)
  return provider
}

function preventRedirect(ctx: KoaContextWithOIDC, error: Error): void {
  if (ctx.oidc.route !== 'authorization') return
  Object.assign(error, { allow_redirect: false })
  if (ctx.status < 400) ctx.status = 400
}

/** Supports only the query response mode, without fragment and form_post. */
class CodeProvider extends Provider {
  override registerResponseMode(...[name, handler]: Parameters<Provider['registerResponseMode']>): void {
    if (name === 'query') super.registerResponseMode(name, handler)
  }
}

function settings({ db, vault, baseUrl, isSignedIn, renderError }: ProviderDeps): Configuration {
  return {
    adapter: createAdapters(db, vault),
    routes,
    scopes: [...appScopes],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    extraClientMetadata: { properties: ['pkce_required'] },
    pkce: { required: (_ctx, client) => client.metadata().pkce_required !== false },
    allowOmittingSingleRegisteredRedirectUri: false,
    cookies: cookies(vault, baseUrl),
    // The library requires a key for signed tokens. It is unused, because no signed tokens are issued.
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    ttl: {
      Interaction: interactionSeconds,
      AuthorizationCode: codeSeconds,
      Grant: grantSeconds,
      AccessToken: (ctx) => Math.min(accessTokenSeconds, secondsOfGrant(ctx)),
      RefreshToken: secondsOfGrant,
      // Never stored, see adapters.ts.
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
    interactions: { policy: [requireConsent()], url: (_ctx, { uid }) => `/connect/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    loadExistingGrant: (ctx) => createGrant(ctx, isSignedIn),
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    expiresWithSession: () => false,
    // Like the API, these endpoints do not allow cross-origin calls.
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
    // Derived, so that all processes share the key without storing it. Cookies are signed, because the page URL reveals
    // their value.
    keys: [vault.digest('cookies', 'oauth').toString('base64url')],
    short: options,
    long: options,
  }
}

/** Requires consent for every request. Rejects unknown scopes and requests without a scope. */
function requireConsent(): interactionPolicy.Prompt {
  const { Check, Prompt } = interactionPolicy
  const check = new Check('user_consent', 'the user must consent', (ctx) => {
    if (ctx.oidc.route === 'resume') return consentOf(ctx) === undefined
    validateScopes(ctx.query.scope)
    return true
  })
  return new Prompt({ name: 'consent', requestable: true }, check)
}

/** Ignores `offline_access`, with which some clients request a refresh token. Every app gets one. */
function validateScopes(input: string | string[] | undefined): void {
  const requested = String(input ?? '')
    .split(' ')
    .filter((scope) => scope !== '' && scope !== 'offline_access')
  const unknown = requested.find((scope) => !isAppScope(scope))
  if (unknown !== undefined) throw new errors.InvalidScope(`unknown scope "${unknown}"`, unknown)
  if (requested.length === 0) throw new errors.InvalidScope('request at least one scope', '')
}

/** Creates the grant after the consent, with exactly the scopes that the user saw. */
async function createGrant(ctx: KoaContextWithOIDC, isSignedIn: ProviderDeps['isSignedIn']) {
  const { provider, account, client } = ctx.oidc
  const consent = consentOf(ctx)
  if (consent === undefined || account === undefined || client === undefined) return undefined
  if (!(await isSignedIn(parseSubject(account.accountId).loginId, consent.sessionId)))
    throw new errors.AccessDenied('the user has signed out')
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
  if (exp === undefined) throw new Error('token issued without a grant')
  return Math.max(1, exp - Math.floor(Date.now() / 1_000))
}
