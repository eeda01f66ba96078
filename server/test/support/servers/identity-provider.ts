/**
 * A real identity provider on loopback: oidc-provider with a sign-in page that signs in as the user whom the test names. It shares
 * no code with the client that is tested.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import { freePort } from '../../../../dev/ports.ts'
import { call } from '../http-call.ts'

/** A user of the provider, with the claims of its ID tokens. */
export interface ProviderAccount {
  sub: string
  email?: string
  email_verified?: unknown
}

export interface IdentityProvider {
  issuer: string
  clientId: string
  clientSecret: string
  users: Map<string, ProviderAccount>
  /** Signs in at the authorization URL as a user, and returns the URL at which the browser continues. */
  signIn: (authorizationUrl: string, sub: string) => Promise<string>
  close: () => Promise<void>
}

/** For browsers. Sends the form to the page that has it. */
const signInPage = `<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,">
<h1>Sign in at the provider</h1><form><label>User <input name="as"></label><button>Sign in</button></form></html>`

/** Strict providers tell emails only at the userinfo endpoint. */
export async function startIdentityProvider(
  redirectUris: () => string[],
  isStrict = false,
): Promise<IdentityProvider> {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const clientId = 'hookline'
  const clientSecret = randomBytes(16).toString('hex')
  const users = new Map<string, ProviderAccount>()
  const client = { client_id: clientId, client_secret: clientSecret }
  const provider: Provider = new Provider(issuer, {
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: isStrict,
    features: { devInteractions: { enabled: false } },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    interactions: { url: (_ctx, { uid }) => `/sign-in/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...users.get(sub), sub }) }),
    async loadExistingGrant(ctx) {
      const grant = new provider.Grant({
        clientId: ctx.oidc.client?.clientId ?? '',
        accountId: ctx.oidc.account?.accountId ?? '',
      })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
  })
  // The types omit the argument of the constructor.
  const Client = provider.Client as unknown as new (metadata: object) => object
  Object.assign(provider.Client, {
    find: async (id: string) =>
      id === clientId ? new Client({ ...client, redirect_uris: redirectUris() }) : undefined,
  })
  const handle = provider.callback()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    if (!url.pathname.startsWith('/sign-in/')) return void handle(request, response)
    const as = url.searchParams.get('as')
    if (as === null) return void response.setHeader('content-type', 'text/html').end(signInPage)
    const login = { accountId: as }
    provider
      .interactionFinished(request, response, { login }, { mergeWithLastSubmission: false })
      .catch(() => response.writeHead(500).end())
  })
  server.listen(port, '127.0.0.1')

  return {
    issuer,
    clientId,
    clientSecret,
    users,
    async signIn(authorizationUrl, sub) {
      const jar = new Map<string, string>()
      let next = authorizationUrl
      for (let steps = 0; steps < 10; steps++) {
        const url = new URL(next, issuer)
        if (url.origin !== issuer) return url.href
        if (url.pathname.startsWith('/sign-in/')) url.searchParams.set('as', sub)
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await call(url.href, { headers: { cookie } })
        for (const line of response.headers.getSetCookie()) {
          const [pair = ''] = line.split(';')
          const [name = '', value = ''] = pair.split('=')
          if (value === '') jar.delete(name)
          else jar.set(name, value)
        }
        const location = response.headers.get('location')
        if (location === null) throw new Error(`provider responded ${response.status}: ${response.text}`)
        next = new URL(location, url).href
      }
      throw new Error('too many redirects')
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
