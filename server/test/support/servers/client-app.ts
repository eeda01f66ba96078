/**
 * A third-party sample app built with openid-client. It serves a page with a connect link, the redirect URI, and a page
 * with the webhooks that its access token can list.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as openid from 'openid-client'

export interface ClientApp {
  url: string
  redirectUri: string
  /** Configures the client after registration, which needs the redirect URI first. */
  use: (registration: {
    issuer: string
    api: string
    clientId: string
    secret: string | null
  }) => Promise<void>
  scope: string
  /** The last response of the token endpoint. */
  tokens: () => openid.TokenEndpointResponse | undefined
  /** Calls the API with the newest access token. */
  callApi: () => Promise<Response>
  refresh: () => Promise<void>
  close: () => Promise<void>
}

export async function startClientApp(scope = 'hooks:read'): Promise<ClientApp> {
  let config: openid.Configuration | undefined
  let api = ''
  let tokens: openid.TokenEndpointResponse | undefined
  const pending = new Map<string, string>()

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      const { name, error: code } = error as { name: string; error?: string }
      response.statusCode = 400
      response.end(page(`<h1>Not connected</h1><p id="error">${code ?? name}</p>`))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}`
  const redirectUri = `${url}/callback`

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const here = new URL(request.url ?? '/', url)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (here.pathname === '/connect') {
      response.writeHead(303, { location: (await startAuthorization()).href }).end()
    } else if (here.pathname === '/callback') {
      tokens = await finishAuthorization(here)
      response.writeHead(303, { location: '/webhooks' }).end()
    } else if (here.pathname === '/webhooks') {
      const found = (await (await callApi()).json()) as { hooks?: unknown[] }
      response.end(page(`<h1>Connected</h1><p id="hooks">${found.hooks?.length ?? 'no'} webhooks</p>`))
    } else response.end(page('<h1>Sample app</h1><a href="/connect">Connect with Hookline</a>'))
  }

  async function startAuthorization(): Promise<URL> {
    const verifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    pending.set(state, verifier)
    return openid.buildAuthorizationUrl(configured(), {
      redirect_uri: redirectUri,
      scope: app.scope,
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
  }

  function finishAuthorization(here: URL): Promise<openid.TokenEndpointResponse> {
    const state = here.searchParams.get('state') ?? ''
    const verifier = pending.get(state)
    if (verifier === undefined) throw new Error('unexpected authorization response')
    pending.delete(state)
    return openid.authorizationCodeGrant(configured(), here, {
      expectedState: state,
      pkceCodeVerifier: verifier,
    })
  }

  function configured(): openid.Configuration {
    if (config === undefined) throw new Error('the app is not registered yet')
    return config
  }

  function callApi(): Promise<Response> {
    return fetch(`${api}/api/hooks`, { headers: { authorization: `Bearer ${tokens?.access_token}` } })
  }

  const app: ClientApp = {
    url,
    redirectUri,
    scope,
    async use({ issuer, api: base, clientId, secret }) {
      api = base
      config = await openid.discovery(
        new URL(issuer),
        clientId,
        undefined,
        secret === null ? openid.None() : openid.ClientSecretBasic(secret),
        // The issuer runs on loopback without TLS.
        { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
      )
    },
    tokens: () => tokens,
    callApi,
    async refresh() {
      tokens = await openid.refreshTokenGrant(configured(), tokens?.refresh_token ?? '')
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
  return app
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><title>Sample app</title><main>${body}</main></html>`
}
