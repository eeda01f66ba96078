/**
 * The client of identity providers. A provider is a server that an account has chosen, so an attacker may run it: its documents
 * are small and fetched through the guarded door, only known fields are kept, and only URLs of web pages are sent to browsers.
 * ID tokens need a signature by a key of the provider.
 */
import * as openid from 'openid-client'
import { ApiError } from '../../model/errors.ts'
import { normalizeTargetUrl, type TargetUrlRules } from '../../model/target-url.ts'
import { createFairLimiter, LimiterTimeout } from '../../runtime/fair-limiter.ts'
import type { Vault } from '../../vault/vault.ts'
import { openClientSecret, type SsoConnection } from './connections.ts'
import { describeFailure, describeOtherIssuer, describeUnusableIssuer } from './describe-failure.ts'

interface ProviderRequest {
  redirectUri: string
  state: string
  nonce: string
  verifier: string
  /** The user must sign in again, even with a session at the provider. */
  isConfirmation: boolean
}

/** The user as the provider describes it. Nothing of it counts outside the account. */
export interface ProviderUser {
  subject: string
  email: string | undefined
  isEmailVerified: boolean
  /** When the user signed in at the provider, in Unix seconds, if the provider tells. */
  signedInAt: number | undefined
}

type EmailClaims = Pick<ProviderUser, 'email' | 'isEmailVerified'>

export interface ProviderClient {
  /** Fetches the configuration of a provider and throws if it cannot be used. */
  check: (connection: SsoConnection) => Promise<void>
  /** Returns the URL at which the browser continues. */
  authorizationUrl: (connection: SsoConnection, request: ProviderRequest) => Promise<string>
  /** Exchanges the code of a response for the user. `response` is the redirect URI with the parameters of the provider. */
  redeem: (connection: SsoConnection, request: ProviderRequest, response: URL) => Promise<ProviderUser>
}

interface ProviderClientDeps {
  vault: Vault
  /** Fetches from public addresses only. */
  fetch: openid.CustomFetch
  /** Rules of the URLs that are fetched, as for webhooks. In local development, providers need no TLS. */
  targetUrl: TargetUrlRules
  now: () => number
}

/** Configurations of providers, with their keys, that a process keeps. */
const maxCached = 100
const cacheMs = 10 * 60_000
const clockToleranceSeconds = 60
/** With a key of the provider. A signature with the client secret proves less, because the account has it too. */
const signatures = [
  ['RS256', 'RS384', 'RS512'],
  ['PS256', 'PS384', 'PS512'],
  ['ES256', 'ES384', 'ES512'],
  ['EdDSA', 'Ed25519'],
].flat()
/** OpenID Connect allows 255 ASCII characters. */
const subject = /^[\x20-\x7e]{1,255}$/

export function createProviderClient({ vault, fetch, targetUrl, now }: ProviderClientDeps): ProviderClient {
  const { allowPrivate: allowInsecure } = targetUrl
  const cache = new Map<string, { config: openid.Configuration; expiresAt: number }>()
  // A slow provider holds slots of its own account only, and it takes many accounts to hold all.
  const limiter = createFairLimiter({
    maxConcurrent: 256,
    maxConcurrentPerOwner: 4,
    maxWaitingPerOwner: 100,
    timeoutMs: 10_000,
  })

  async function limited<T>(
    { accountId }: SsoConnection,
    task: () => Promise<T>,
    describe: (error: unknown) => string = describeFailure,
  ): Promise<T> {
    try {
      return await limiter.run(accountId, task)
    } catch (error) {
      if (error instanceof ApiError) throw error
      if (error instanceof LimiterTimeout)
        throw new ApiError('unavailable', 'Too many sign-ins at once. Retry in some seconds.', {
          retryAfterSeconds: 5,
        })
      throw new ApiError('ssoFailed', describe(error))
    }
  }

  async function discover(connection: SsoConnection): Promise<openid.Configuration> {
    const found = await openid.discovery(
      new URL(connection.issuer),
      connection.clientId,
      undefined,
      undefined,
      {
        [openid.customFetch]: fetch,
        execute: allowInsecure ? [openid.allowInsecureRequests] : [],
        timeout: 0,
      },
    )
    const server = selectMetadata(connection, found.serverMetadata(), targetUrl)
    const secret = openClientSecret(vault, connection)
    const config = new openid.Configuration(
      server,
      connection.clientId,
      {
        [openid.clockTolerance]: clockToleranceSeconds,
        [openid.clockSkew]: Math.round((now() - Date.now()) / 1_000),
      },
      clientAuthentication(server, secret),
    )
    config[openid.customFetch] = fetch
    config.timeout = 0
    if (allowInsecure) openid.allowInsecureRequests(config)
    // The connection to the provider alone would not prove who issued the token.
    openid.enableNonRepudiationChecks(config)
    return config
  }

  async function configOf(connection: SsoConnection): Promise<openid.Configuration> {
    const { accountId, issuer, clientId, changedAt } = connection
    const key = JSON.stringify([accountId, issuer, clientId, changedAt])
    const cached = cache.get(key)
    if (cached !== undefined && cached.expiresAt > performance.now()) return cached.config
    const config = await discover(connection)
    cache.delete(key)
    const [oldest] = cache.keys()
    if (cache.size >= maxCached && oldest !== undefined) cache.delete(oldest)
    cache.set(key, { config, expiresAt: performance.now() + cacheMs })
    return config
  }

  return {
    check: (connection) =>
      limited(
        connection,
        async () => {
          await discover(connection)
        },
        (error) => describeUnusableIssuer(error, connection.issuer),
      ),

    authorizationUrl: (connection, request) =>
      limited(connection, async () => {
        const config = await configOf(connection)
        const url = openid.buildAuthorizationUrl(config, {
          redirect_uri: request.redirectUri,
          response_type: 'code',
          scope: 'openid email',
          state: request.state,
          nonce: request.nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(request.verifier),
          code_challenge_method: 'S256',
          ...(request.isConfirmation && { prompt: 'login', max_age: '0' }),
        })
        return url.href
      }),

    redeem: (connection, request, response) =>
      limited(connection, async () => {
        const config = await configOf(connection)
        const tokens = await openid.authorizationCodeGrant(config, response, {
          expectedState: request.state,
          expectedNonce: request.nonce,
          pkceCodeVerifier: request.verifier,
          idTokenExpected: true,
        })
        const user = readUser(tokens.claims())
        if (user.email !== undefined || config.serverMetadata().userinfo_endpoint === undefined) return user
        return { ...user, ...(await fetchEmail(config, tokens.access_token, user.subject)) }
      }),
  }
}

/** Keeps the fields that are used, and rejects a provider that lacks one, or that names another issuer. */
function selectMetadata(
  { issuer }: SsoConnection,
  found: openid.ServerMetadata,
  rules: TargetUrlRules,
): openid.ServerMetadata {
  // Exactly: a template such as that of Entra for all its tenants would let any of them sign in.
  if (found.issuer !== issuer)
    throw new ApiError('ssoFailed', describeOtherIssuer(found.issuer, issuer), { field: 'issuer' })
  const endpoint = (
    name: 'authorization_endpoint' | 'token_endpoint' | 'jwks_uri' | 'userinfo_endpoint',
  ): string => {
    const url = typeof found[name] === 'string' ? URL.parse(found[name]) : null
    const isSecure = url?.protocol === 'https:' || (rules.allowPrivate && url?.protocol === 'http:')
    // Browsers open the first one, also in a private network.
    const isAllowed = name === 'authorization_endpoint' || (url !== null && isTargetUrl(url.href, rules))
    if (url === null || !isSecure || !isAllowed || url.username !== '' || url.password !== '')
      throw new ApiError('ssoFailed', `The configuration of the provider has no valid "${name}".`, {
        field: 'issuer',
      })
    return url.href
  }
  const challengeMethods = found.code_challenge_methods_supported
  if (Array.isArray(challengeMethods) && !challengeMethods.includes('S256'))
    throw new ApiError('ssoFailed', 'The provider does not support PKCE with S256.', { field: 'issuer' })
  const offered = found.id_token_signing_alg_values_supported
  const algorithms = signatures.filter((name) => !Array.isArray(offered) || offered.includes(name))
  if (algorithms.length === 0)
    throw new ApiError('ssoFailed', 'The provider does not sign ID tokens with a key of its own.', {
      field: 'issuer',
    })
  const methods = found.token_endpoint_auth_methods_supported
  return {
    issuer,
    authorization_endpoint: endpoint('authorization_endpoint'),
    token_endpoint: endpoint('token_endpoint'),
    jwks_uri: endpoint('jwks_uri'),
    ...(found.userinfo_endpoint !== undefined && { userinfo_endpoint: endpoint('userinfo_endpoint') }),
    id_token_signing_alg_values_supported: algorithms,
    ...(Array.isArray(methods) && {
      token_endpoint_auth_methods_supported: methods.filter((method) =>
        ['client_secret_basic', 'client_secret_post'].includes(method),
      ),
    }),
    authorization_response_iss_parameter_supported:
      found.authorization_response_iss_parameter_supported === true,
  }
}

function isTargetUrl(url: string, rules: TargetUrlRules): boolean {
  try {
    normalizeTargetUrl(url, rules)
    return true
  } catch {
    return false
  }
}

function clientAuthentication(server: openid.ServerMetadata, secret: string | undefined): openid.ClientAuth {
  if (secret === undefined) return openid.None()
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
    ? openid.ClientSecretPost(secret)
    : openid.ClientSecretBasic(secret)
}

function readUser(claims: openid.IDToken | undefined): ProviderUser {
  if (claims === undefined || !subject.test(claims.sub))
    throw new ApiError('ssoFailed', 'The ID token has no valid subject.')
  const { auth_time: signedInAt } = claims
  return {
    subject: claims.sub,
    ...readEmail(claims),
    signedInAt: typeof signedInAt === 'number' ? signedInAt : undefined,
  }
}

function readEmail({ email, email_verified: verified }: Record<string, unknown>): EmailClaims {
  return {
    email: typeof email === 'string' && email.length <= 255 && !email.includes('\0') ? email : undefined,
    isEmailVerified: verified === true,
  }
}

/**
 * Strict providers tell the email only here (OpenID Connect Core, 5.4). Users who are known need none, so a failure means that
 * there is none.
 */
async function fetchEmail(
  config: openid.Configuration,
  accessToken: string,
  userSubject: string,
): Promise<EmailClaims> {
  try {
    return readEmail({ ...(await openid.fetchUserInfo(config, accessToken, userSubject)) })
  } catch {
    return { email: undefined, isEmailVerified: false }
  }
}
