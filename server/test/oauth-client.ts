/**
 * Somebody else's app and the browser of somebody who lets it in: the app is played with openid-client, the browser keeps
 * cookies by path as browsers do and follows no redirect that it was not told to follow.
 */
import * as openid from 'openid-client'
import { createApp } from '../src/identity/oauth/apps.ts'
import { createProvider } from '../src/identity/oauth/provider.ts'
import { digestOf } from '../src/identity/oauth/sealed-payload.ts'
import { call, type CallAnswer, type CallOptions } from './call.ts'
import { signIn, type SignedIn } from './person.ts'
import type { TestAccount, TestWorld } from './service.ts'

export interface Browser {
  /** Opens an address, with the cookies that belong there. */
  open: (address: string, options?: CallOptions) => Promise<CallAnswer>
  /** A call that a page of ours makes. */
  call: (path: string, options?: CallOptions) => Promise<CallAnswer>
  /** What it holds, as `name=value`. */
  cookies: () => string[]
  signIn: (account: TestAccount) => Promise<SignedIn>
  /** The person stays, the sign-in is gone. */
  signOut: () => Promise<void>
}

interface Cookie {
  name: string
  value: string
  path: string
}

export function openBrowser(world: TestWorld): Browser {
  const jar = new Map<string, Cookie>()
  let csrfToken = ''

  const open: Browser['open'] = async (address, options = {}) => {
    const url = new URL(address, world.url)
    const fitting = [...jar.values()].filter(({ path }) => isBelow(url.pathname, path))
    const cookie = fitting.map(({ name, value }) => `${name}=${value}`).join('; ')
    const answer = await call(url.href, {
      ...options,
      headers: { ...(cookie !== '' && { cookie }), ...options.headers },
    })
    for (const line of answer.headers.getSetCookie()) keep(jar, line)
    return answer
  }

  return {
    open,
    call: (path, options = {}) =>
      open(path, {
        ...options,
        headers: { origin: world.url, 'x-csrf-token': csrfToken, ...options.headers },
      }),
    cookies: () => [...jar.values()].map(({ name, value }) => `${name}=${value}`),
    async signIn(account) {
      const person = await signIn(world.url, account)
      keep(jar, `${person.cookie}; path=/`)
      csrfToken = person.csrfToken
      return person
    },
    async signOut() {
      await open('/api/session', {
        method: 'DELETE',
        headers: { origin: world.url, 'x-csrf-token': csrfToken },
      })
    },
  }
}

function keep(jar: Map<string, Cookie>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
  const [name = '', value = ''] = pair.split('=')
  const path = attributes.find((part) => /^path=/i.test(part))?.slice('path='.length) ?? '/'
  const isGone =
    value === '' || attributes.some((part) => /^(max-age=0|expires=Thu, 01 Jan 1970)/i.test(part))
  if (isGone) jar.delete(`${name} ${path}`)
  else jar.set(`${name} ${path}`, { name, value, path })
}

/** As RFC 6265 has it: the path itself, or what lies below it. */
function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

export interface TestApp {
  id: string
  secret: string | null
  redirectUri: string
  config: openid.Configuration
}

/** Registered by its publisher in the developer area, then set up from nothing but the issuer. */
export async function registerApp(
  world: TestWorld,
  publisher: SignedIn,
  wanted: { name?: string; isPublic?: boolean; redirectUris?: string[] } = {},
): Promise<TestApp> {
  const redirectUris = wanted.redirectUris ?? ['https://app.example/callback']
  const made = await publisher.call('/api/apps', {
    method: 'POST',
    json: {
      name: wanted.name ?? 'Example',
      is_public: wanted.isPublic ?? false,
      redirect_uris: redirectUris,
    },
  })
  if (made.status !== 200) throw new Error(`registering was answered with ${made.text}`)
  const { app, secret } = made.json
  const config = await openid.discovery(
    new URL(`${world.url}/oauth`),
    app.id,
    {},
    secret === null ? openid.None() : openid.ClientSecretBasic(secret),
    { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
  )
  return { id: app.id, secret, redirectUri: redirectUris[0] ?? '', config }
}

export interface Asked {
  url: string
  verifier: string
  state: string
}

/** The address to which the app sends its user. Extra parameters replace the right ones; an empty one is left out. */
export async function askAccess(
  app: TestApp,
  scope = 'hooks:read',
  extra: Record<string, string> = {},
): Promise<Asked> {
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

/** Opens the app's link. The answer is the id of the request that now waits for an answer. */
export async function arrive(browser: Browser, address: string): Promise<string> {
  const answer = await browser.open(address)
  const id = /^\/connect\/([\w-]+)$/.exec(answer.headers.get('location') ?? '')?.[1]
  if (answer.status !== 303 || id === undefined)
    throw new Error(`asking for access was answered with ${answer.status} ${answer.headers.get('location')}`)
  return id
}

/** Agrees, and follows the browser's way back. The answer is where the app gets its user back. */
export async function agree(browser: Browser, id: string): Promise<URL> {
  const allowed = await browser.call(`/api/interactions/${id}/allow`, { method: 'POST' })
  if (allowed.status !== 200) throw new Error(`agreeing was answered with ${allowed.text}`)
  const back = await browser.open(allowed.json.return_to)
  return new URL(back.headers.get('location') ?? `about:blank#${back.status}`)
}

export interface Connected extends Asked {
  code: string
  callback: URL
}

/** As far as the code. */
export async function getCode(browser: Browser, app: TestApp, scope?: string): Promise<Connected> {
  const asked = await askAccess(app, scope)
  const callback = await agree(browser, await arrive(browser, asked.url))
  return { ...asked, callback, code: callback.searchParams.get('code') ?? '' }
}

export interface Tokens {
  access: string
  refresh: string
}

/** All the way, as the app's library does it. */
export async function connect(browser: Browser, app: TestApp, scope?: string): Promise<Tokens> {
  const { callback, verifier, state } = await getCode(browser, app, scope)
  const tokens = await openid.authorizationCodeGrant(app.config, callback, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  return { access: tokens.access_token, refresh: tokens.refresh_token ?? '' }
}

/** A request to one of the endpoints for apps, by hand. */
export function post(
  world: TestWorld,
  endpoint: 'token' | 'revoke' | 'introspect',
  form: Record<string, string>,
  app?: { id: string; secret: string | null },
  headers: Record<string, string> = {},
): Promise<CallAnswer> {
  const isConfidential = app !== undefined && app.secret !== null
  const basic = isConfidential && Buffer.from(`${app.id}:${app.secret}`).toString('base64')
  return call(`${world.url}/oauth/${endpoint}`, {
    method: 'POST',
    form: { ...form, ...(app !== undefined && !isConfidential && { client_id: app.id }) },
    headers: { ...headers, ...(basic && { authorization: `Basic ${basic}` }) },
  })
}

export function redeem(
  world: TestWorld,
  app: TestApp,
  { code, verifier }: Connected,
  other: Record<string, string> = {},
): Promise<CallAnswer> {
  const form = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: app.redirectUri,
  }
  return post(world, 'token', { ...form, ...other }, app)
}

export function refresh(
  world: TestWorld,
  app: TestApp,
  token: string,
  other: Record<string, string> = {},
): Promise<CallAnswer> {
  return post(world, 'token', { grant_type: 'refresh_token', refresh_token: token, ...other }, app)
}

/** The status with which the API answers a token. */
export async function apiStatus(url: string, token: string): Promise<number> {
  return (await call(`${url}/api/hooks`, { headers: { authorization: `Bearer ${token}` } })).status
}

/** An access token without an app's and a browser's way to it, for tests of what comes after. */
export async function makeAccessToken(
  world: TestWorld,
  { accountId, loginId }: TestAccount,
  scope = 'hooks',
): Promise<string> {
  const baseUrl = new URL(world.url)
  const provider = createProvider({ ...world, baseUrl, isSignedIn: async () => true, renderError: () => {} })
  const wanted = { name: 'Test', isPublic: true, redirectUris: ['https://app.example/'] }
  const { app } = await createApp(world.db, world.vault, { accountId, actor: 'operator' }, wanted, '')
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

/** Ends what a token stands on, or the token's time. */
export async function endAccessToken(
  world: TestWorld,
  token: string,
  how: 'revoked' | 'expired',
): Promise<void> {
  const digest = digestOf(world.vault, 'AccessToken', token)
  await world.database.query(
    how === 'revoked'
      ? 'DELETE FROM grants USING oauth_records WHERE grants.digest = grant_digest AND oauth_records.digest = $1'
      : `UPDATE oauth_records SET expires_at = now() - interval '1 second' WHERE digest = $1`,
    [digest],
  )
}
