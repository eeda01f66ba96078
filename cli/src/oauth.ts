/** Sign-in by browser: authorization code with PKCE, to a loopback address (RFC 8252) or by pasting the address. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ApiError } from '@hookline/client'
import { ask } from './confirm.ts'
import { CliError, exitCodes } from './errors.ts'
import { withLock } from './lock.ts'
import { openInBrowser } from './open-in-browser.ts'
import { configFolder, type Profile } from './profiles.ts'
import { readSecret, replaceSecret } from './secrets.ts'

/** Every installation knows this app. */
const clientId = 'hookline-cli'
const scope = 'hooks events:read deliveries:replay'

export interface Tokens {
  accessToken: string
  refreshToken: string
  expiresAt: number
}

export async function signInByBrowser(
  url: string,
  { usesBrowser }: { usesBrowser: boolean },
): Promise<Tokens> {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  const callback = await startCallback()
  const redirectUri = `http://127.0.0.1:${callback.port}/callback`
  const address = new URL('/oauth/authorize', url)
  address.search = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  const pasting = new AbortController()
  try {
    const isOpened = usesBrowser && (await openInBrowser(address.href))
    console.error(
      isOpened ? 'Continue in your browser. If it did not open:' : 'Open this address in a browser:',
    )
    console.error(`\n  ${address.href}\n`)
    const returned = await Promise.race([callback.returned, readPasted(pasting.signal)])
    const code = readCode(returned, { state, issuer: new URL('/oauth', url).href })
    return await requestTokens(url, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    })
  } finally {
    pasting.abort()
    callback.close()
  }
}

interface Callback {
  port: number
  /** The address that the browser was sent to. */
  returned: Promise<URL>
  close: () => void
}

const page = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Hookline</title><body style="font: 16px system-ui; margin: 4rem auto; max-width: 30rem">${text}`

async function startCallback(): Promise<Callback> {
  let resolve: (url: URL) => void
  const returned = new Promise<URL>((settle) => (resolve = settle))
  const server = createServer((request, response) => {
    const at = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (at.pathname !== '/callback') return void response.writeHead(404).end()
    const text = at.searchParams.has('code')
      ? 'You are signed in. Close this window and return to the terminal.'
      : 'You are not signed in. Return to the terminal.'
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', connection: 'close' })
      .end(page(text))
    resolve(at)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    returned,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Over SSH, the browser of another machine cannot reach the callback, but shows its address. */
async function readPasted(signal: AbortSignal): Promise<URL> {
  if (!process.stdin.isTTY) return new Promise(() => {})
  try {
    for (;;) {
      const text = await ask(
        'Waiting. If the browser cannot open the last page, paste its address here:\n> ',
        signal,
      )
      const url = URL.parse(text.trim())
      if (url?.searchParams.has('state')) return url
      console.error('That is not the address of the last page. It starts with http://127.0.0.1.')
    }
  } catch (error) {
    if (!signal.aborted) throw error
    return await new Promise(() => {})
  }
}

function signInFailed(message: string): CliError {
  return new CliError(message, { exitCode: exitCodes.unauthorized, hint: 'Try again: hookline login' })
}

function readCode({ searchParams }: URL, expected: { state: string; issuer: string }): string {
  if (searchParams.get('state') !== expected.state)
    throw signInFailed('The response belongs to another sign-in.')
  const issuer = searchParams.get('iss')
  if (issuer !== null && issuer !== expected.issuer)
    throw signInFailed(`The response comes from ${issuer}, not from ${expected.issuer}.`)
  if (searchParams.get('error') === 'access_denied') throw signInFailed('You denied access.')
  const code = searchParams.get('code')
  if (code === null)
    throw signInFailed(searchParams.get('error_description') ?? 'The service rejected the request.')
  return code
}

async function requestTokens(url: string, parameters: Record<string, string>): Promise<Tokens> {
  const response = await fetch(new URL('/oauth/token', url), {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, ...parameters }),
    redirect: 'error',
    // Shorter than others wait for the lock.
    signal: AbortSignal.timeout(tokenTimeoutMs),
  }).catch(() => {
    throw new ApiError('The service could not be reached.', { status: 0 })
  })
  const body = (await response.json().catch(() => ({}))) as Record<string, string | number>
  if (response.status === 429 || response.status >= 500)
    throw new ApiError(`The service responded with status ${response.status}.`, { status: response.status })
  if (!response.ok)
    throw new CliError(
      `You are no longer signed in: ${body.error_description ?? body.error ?? response.status}.`,
      { exitCode: exitCodes.unauthorized, hint: `Sign in again: hookline login --url ${url}` },
    )
  return {
    accessToken: String(body.access_token),
    refreshToken: String(body.refresh_token),
    expiresAt: Date.now() + Number(body.expires_in) * 1_000,
  }
}

/** Ends the authorization with all its tokens. */
export async function revokeTokens(url: string, { refreshToken }: Tokens): Promise<void> {
  await fetch(new URL('/oauth/revoke', url), {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, token: refreshToken }),
    redirect: 'error',
    signal: AbortSignal.timeout(tokenTimeoutMs),
  })
}

const tokenTimeoutMs = 10_000
/** Longer than a refresh takes. */
const lockTimeoutMs = 25_000

/** Time left of a token that is still used. */
const minLeftMs = 60_000

let refreshing: Promise<string> | undefined

/** Returns a valid access token. Refreshes an expired one, and stores the new tokens before they are used. */
export async function currentToken(name: string, profile: Profile): Promise<string> {
  const tokens = await readTokens(name, profile)
  if (tokens.expiresAt - Date.now() > minLeftMs) return tokens.accessToken
  refreshing ??= refresh(name, profile).finally(() => (refreshing = undefined))
  return refreshing
}

/** A refresh token works once, and a second use revokes all: so one process at a time refreshes. */
async function refresh(name: string, profile: Profile): Promise<string> {
  const refreshed = await withLock(join(configFolder(), 'refresh.lock'), lockTimeoutMs, async () => {
    const { accessToken, expiresAt, refreshToken } = await readTokens(name, profile)
    if (expiresAt - Date.now() > minLeftMs) return accessToken
    return finishBeforeSignals(async () => {
      const tokens = await requestTokens(profile.url, {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      })
      await replaceSecret(name, JSON.stringify(tokens), profile.store)
      return tokens.accessToken
    })
  })
  if (refreshed !== undefined) return refreshed.result
  throw new CliError('Another process of this tool is refreshing the sign-in and does not finish.', {
    exitCode: exitCodes.unreachable,
    hint: 'If it was stopped, for example by Ctrl+Z, continue or end it.',
  })
}

/** Ctrl+C between the response and its storage would lose the new refresh token. A second one ends the process. */
async function finishBeforeSignals<T>(run: () => Promise<T>): Promise<T> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  let received: NodeJS.Signals | undefined
  const note = (signal: NodeJS.Signals): void => void (received = signal)
  for (const signal of signals) process.once(signal, note)
  try {
    return await run()
  } finally {
    for (const signal of signals) process.off(signal, note)
    // Commands with a listener of their own have got the signal already.
    if (received !== undefined && process.listenerCount(received) === 0) process.kill(process.pid, received)
  }
}

export async function readTokens(name: string, { store, url }: Profile): Promise<Tokens> {
  const secret = await readSecret(name, store)
  if (secret === undefined)
    throw new CliError(`The tokens of the profile "${name}" are not in the ${store}.`, {
      exitCode: exitCodes.unauthorized,
      hint: `Sign in again: hookline login --url ${url}`,
    })
  return JSON.parse(secret) as Tokens
}
