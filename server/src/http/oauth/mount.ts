/** Mounts the authorization server at `/oauth` of the public server. Only the listed endpoints of the library are exposed. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { isDatabaseUnavailable } from '../../db/database.ts'
import type { LoginThrottle } from '../../identity/accounts/login-throttle.ts'
import { routes } from '../../identity/oauth/provider.ts'
import { toApiError } from '../server/envelope.ts'
import { showError } from './error-page.ts'
import type { Context } from './middleware.ts'
import { metadata, metadataPaths } from './metadata.ts'
import { throttleClients } from './throttle-clients.ts'
import { throttleRequests } from './throttle-requests.ts'
import { cleanResponse } from './clean-response.ts'
import { withKnownScopes } from './known-scopes.ts'

const mountPath = '/oauth'

interface OAuthDeps {
  oauth: Provider
  throttle: LoginThrottle
  baseUrl: URL
}

export async function addOAuth(app: FastifyInstance, { oauth, throttle, baseUrl }: OAuthDeps): Promise<void> {
  const requests = new WeakMap<IncomingMessage, FastifyRequest>()
  /** Adds internal errors to the log line of the request. */
  const fail = (ctx: Context, error: unknown): void => {
    const request = requests.get(ctx.req)
    if (request !== undefined) request.failure = { code: toApiError(error).code, error }
    if (ctx.status === 500 && isDatabaseUnavailable(error)) ctx.status = 503
  }
  oauth.use(async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      ctx.status = 500
      // Browsers of users send GET, apps send POST.
      if (ctx.method === 'GET') showError(ctx, 'server_error')
      else ctx.body = { error: 'server_error' }
      fail(ctx, error)
    }
  })
  oauth.use(cleanResponse(oauth))
  oauth.use(throttleRequests(throttle))
  oauth.use(throttleClients(throttle))
  oauth.on('server_error', fail)
  const handle = oauth.callback()

  const forward = (request: FastifyRequest, reply: FastifyReply): void => {
    requests.set(request.raw, request)
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value) reply.raw.setHeader(name, value)
    void handle(atMount(request, baseUrl), reply.raw)
  }

  await app.register(async (mounted) => {
    // The library parses bodies itself.
    mounted.removeAllContentTypeParsers()
    mounted.addContentTypeParser('*', (_request, _body, done) => done(null))
    mounted.get(mountPath + routes.authorization, forward)
    mounted.get(`${mountPath}${routes.authorization}/:uid`, forward)
    for (const route of [routes.token, routes.revocation, routes.introspection])
      mounted.post(mountPath + route, forward)
  })
  const document = metadata(baseUrl)
  for (const path of metadataPaths) app.get(path, async () => document)
}

/** Returns the request with a path relative to the mount and the origin of BASE_URL, independent of its Host header. */
function atMount({ raw, ip }: FastifyRequest, baseUrl: URL): IncomingMessage {
  const url = withKnownScopes((raw.url ?? '').replace(/^https?:\/\/[^/?#]*/i, ''))
  Object.assign(raw.headers, {
    'x-forwarded-for': ip,
    'x-forwarded-host': baseUrl.host,
    'x-forwarded-proto': baseUrl.protocol.slice(0, -1),
  })
  return Object.assign(raw, { originalUrl: url, url: url.slice(mountPath.length) })
}
