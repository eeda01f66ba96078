/**
 * A third-party OAuth app, built with openid-client, and the browser of the user who authorizes it. The browser stores
 * cookies by path and follows redirects only when the test does so explicitly.
 */
import * as openid from 'openid-client'
import { createOAuthApp } from '../../src/identity/oauth/apps.ts'
import { createProvider } from '../../src/identity/oauth/provider.ts'
import { digestOf } from '../../src/identity/oauth/sealed-payload.ts'
import { call, type CallResponse, type CallOptions } from './http-call.ts'
import { signIn, type SignedIn } from './browser-session.ts'
import type { TestAccount, TestService } from './test-service.ts'

export interface Browser {
  /** Opens a URL with the cookies whose path matches. */
  open: (address: string, options?: CallOptions) => Promise<CallResponse>
  /** Makes a call as a page of the dashboard does. */
  call: (path: string, options?: CallOptions) => Promise<CallResponse>
  /** Returns the stored cookies as `name=value`. */
  cookies: () => string[]
  signIn: (account: Pick<TestAccount, 'alias' | 'password'>) => Promise<SignedIn>
  /** Ends the session and keeps the browser. */
  signOut: () => Promise<void>
}

interface Cookie {
  name: string
  value: string
  path: string
}

export function openBrowser(hookline: TestService): Browser {
  const jar = new Map<string, Cookie>()
  let csrfToken = ''

  const open: Browser['open'] = async (address, options = {}) => {
    const url = new URL(address, hookline.url)
    const matching = [...jar.values()].filter(({ path }) => pathMatches(url.pathname, path))
    const cookie = matching.map(({ name, value }) => `${name}=${value}`).join('; ')
    const response = await call(url.href, {
      ...options,
      headers: { ...(cookie !== '' && { cookie }), ...options.headers },
    })
    for (const line of response.headers.getSetCookie()) storeCookie(jar, line)
    return response
  }

  return {
    open,
    call: (path, options = {}) =>
      open(path, {
        ...options,
        headers: { origin: hookline.url, 'x-csrf-token': csrfToken, ...options.headers },
      }),
    cookies: () => [...jar.values()].map(({ name, value }) => `${name}=${value}`),
    async signIn(account) {
      const user = await signIn(hookline.url, account)
      storeCookie(jar, `${user.cookie}; path=/`)
      csrfToken = user.csrfToken
      return user
    },
    async signOut() {
      await open('/api/session', {
        method: 'DELETE',
        headers: { origin: hookline.url, 'x-csrf-token': csrfToken },
      })
    },
  }
}

function storeCookie(jar: Map<string, Cookie>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
  const [name = '', value = ''] = pair.split('=')
  const path = attributes.find((part) => /^path=/i.test(part))?.slice('path='.length) ?? '/'
  const isDeleted =
    value === '' || attributes.some((part) => /^(max-age=0|expires=Thu, 01 Jan 1970)/i.test(part))
  if (isDeleted) jar.delete(`${name} ${path}`)
  else jar.set(`${name} ${path}`, { name, value, path })
}

/** Path match of RFC 6265: the path itself or a path below it. */
function pathMatches(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

export interface TestApp {
  id: string
  secret: string | null
  redirectUri: string
  config: openid.Configuration
}

/** Registers an app in the dashboard, then configures its client by discovery from the issuer. */
export async function registerApp(
  hookline: TestService,
  publisher: SignedIn,
  requested: { name?: string; isPublic?: boolean; redirectUris?: string[] } = {},
): Promise<TestApp> {
  const redirectUris = requested.redirectUris ?? ['https://app.example/callback']
  const created = await publisher.call('/api/apps', {
    method: 'POST',
    json: {
      name: requested.name ?? 'Example',
      is_public: requested.isPublic ?? false,
      redirect_uris: redirectUris,
    },
  })
  if (created.status !== 200) throw new Error(`registration failed: ${created.text}`)
  const { app, secret } = created.json
  const config = await openid.discovery(
    new URL(`${hookline.url}/oauth`),
    app.id,
    {},
    secret === null ? openid.None() : openid.ClientSecretBasic(secret),
    { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
  )
  return { id: app.id, secret, redirectUri: redirectUris[0] ?? '', config }
}

export interface AuthorizationRequest {
  url: string
  verifier: string
  state: string
}

/** Builds the authorization URL. Extra parameters replace the defaults; an empty value removes the parameter. */
export async function requestAccess(
  app: TestApp,
  scope = 'hooks:read',
  extra: Record<string, string> = {},
): Promise<AuthorizationRequest> {
  const verifier = openid.randomPKCECodeVerifier()
  const state = openid.randomState()
  const url = openid.buildAuthorizationUrl(app.config, {
    redirect_uri: app.redirectUri,
    scope,
    state,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  for (const [name, value] of Object.entries(extra))
    if (value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  return { url: url.href, verifier, state }
}

/** Opens the authorization URL. Returns the ID of the pending interaction. */
export async function startInteraction(browser: Browser, address: string): Promise<string> {
  const response = await browser.open(address)
  const id = /^\/connect\/([\w-]+)$/.exec(response.headers.get('location') ?? '')?.[1]
  if (response.status !== 303 || id === undefined)
    throw new Error(`authorization failed: ${response.status} ${response.headers.get('location')}`)
  return id
}

/** Allows the request and follows the redirect. Returns the redirect URI with the response parameters. */
export async function allowAccess(browser: Browser, id: string): Promise<URL> {
  const allowed = await browser.call(`/api/interactions/${id}/allow`, { method: 'POST' })
  if (allowed.status !== 200) throw new Error(`consent failed: ${allowed.text}`)
  const redirect = await browser.open(allowed.json.return_to)
  return new URL(redirect.headers.get('location') ?? `about:blank#${redirect.status}`)
}

export interface AuthorizationCode extends AuthorizationRequest {
  code: string
  callback: URL
}

/** Runs the authorization flow up to the code. */
export async function getCode(browser: Browser, app: TestApp, scope?: string): Promise<AuthorizationCode> {
  const request = await requestAccess(app, scope)
  const callback = await allowAccess(browser, await startInteraction(browser, request.url))
  return { ...request, callback, code: callback.searchParams.get('code') ?? '' }
}

export interface Tokens {
  access: string
  refresh: string
}

/** Runs the whole authorization flow and returns the tokens. */
export async function connect(browser: Browser, app: TestApp, scope?: string): Promise<Tokens> {
  const { callback, verifier, state } = await getCode(browser, app, scope)
  const tokens = await openid.authorizationCodeGrant(app.config, callback, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  return { access: tokens.access_token, refresh: tokens.refresh_token ?? '' }
}

/** Sends a raw request to one of the OAuth endpoints. */
export function post(
  hookline: TestService,
  endpoint: 'token' | 'revoke' | 'introspect',
  form: Record<string, string>,
  app?: { id: string; secret: string | null },
  headers: Record<string, string> = {},
): Promise<CallResponse> {
  const isConfidential = app !== undefined && app.secret !== null
  const basic = isConfidential && Buffer.from(`${app.id}:${app.secret}`).toString('base64')
  return call(`${hookline.url}/oauth/${endpoint}`, {
    method: 'POST',
    form: { ...form, ...(app !== undefined && !isConfidential && { client_id: app.id }) },
    headers: { ...headers, ...(basic && { authorization: `Basic ${basic}` }) },
  })
}

export function redeem(
  hookline: TestService,
  app: TestApp,
  { code, verifier }: AuthorizationCode,
  other: Record<string, string> = {},
): Promise<CallResponse> {
  const form = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: app.redirectUri,
  }
  return post(hookline, 'token', { ...form, ...other }, app)
}

export function refresh(
  hookline: TestService,
  app: TestApp,
  token: string,
  other: Record<string, string> = {},
): Promise<CallResponse> {
  return post(hookline, 'token', { grant_type: 'refresh_token', refresh_token: token, ...other }, app)
}

/** Returns the status of an API call with the token. */
export async function apiStatus(url: string, token: string): Promise<number> {
  return (await call(`${url}/api/hooks`, { headers: { authorization: `Bearer ${token}` } })).status
}

/** Creates an access token without the authorization flow, for tests of its use. */
export async function createAccessToken(
  hookline: TestService,
  { accountId, loginId }: TestAccount,
  scope = 'hooks',
): Promise<string> {
  const baseUrl = new URL(hookline.url)
  const provider = createProvider({
    ...hookline,
    baseUrl,
    isSignedIn: async () => true,
    renderError: () => {},
  })
  const requested = { name: 'Test', isPublic: true, redirectUris: ['https://app.example/'] }
  const { app } = await createOAuthApp(
    hookline.db,
    hookline.vault,
    { accountId, actor: 'operator' },
    requested,
    '',
  )
  const grant = new provider.Grant({ accountId: String(loginId), clientId: app.id })
  grant.addOIDCScope(scope)
  const token = new provider.AccessToken({
    accountId: String(loginId),
    grantId: await grant.save(),
    clientId: app.id,
    expiresIn: 3_600,
    scope,
  } as never)
  return token.save()
}

/** Deletes the grant of a token, or expires the token. */
export async function invalidateAccessToken(
  hookline: TestService,
  token: string,
  how: 'revoked' | 'expired',
): Promise<void> {
  const digest = digestOf(hookline.vault, 'AccessToken', token)
  await hookline.database.query(
    how === 'revoked'
      ? 'DELETE FROM grants USING oauth_records WHERE grants.digest = grant_digest AND oauth_records.digest = $1'
      : `UPDATE oauth_records SET expires_at = now() - interval '1 second' WHERE digest = $1`,
    [digest],
  )
}
