/** The authorization server under `/oauth` of the public listener: its endpoints by name, and nothing else of the library. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { isDatabaseUnavailable } from '../../db/database.ts'
import type { LoginThrottle } from '../../identity/accounts/login-throttle.ts'
import { routes } from '../../identity/oauth/provider.ts'
import { toRefusal } from '../envelope.ts'
import { showError } from './error-page.ts'
import type { Context } from './middleware.ts'
import { metadata, metadataPaths } from './metadata.ts'
import { throttleClients } from './throttle-clients.ts'
import { throttleRequests } from './throttle-requests.ts'
import { tidyAnswer } from './tidy-answer.ts'

const mountPath = '/oauth'

interface Mounted {
  oauth: Provider
  throttle: LoginThrottle
  baseUrl: URL
}

export async function addOAuth(app: FastifyInstance, { oauth, throttle, baseUrl }: Mounted): Promise<void> {
  const requests = new WeakMap<IncomingMessage, FastifyRequest>()
  /** Our own faults stand in the request's log line, as everywhere. */
  const fail = (ctx: Context, error: unknown): void => {
    const request = requests.get(ctx.req)
    if (request !== undefined) request.failure = { code: toRefusal(error).code, error }
    if (ctx.status === 500 && isDatabaseUnavailable(error)) ctx.status = 503
  }
  oauth.use(async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      ctx.status = 500
      // People come by GET, apps by POST.
      if (ctx.method === 'GET') showError(ctx, 'server_error')
      else ctx.body = { error: 'server_error' }
      fail(ctx, error)
    }
  })
  oauth.use(tidyAnswer(oauth))
  oauth.use(throttleRequests(throttle))
  oauth.use(throttleClients(throttle))
  oauth.on('server_error', fail)
  const answer = oauth.callback()

  const pass = (request: FastifyRequest, reply: FastifyReply): void => {
    requests.set(request.raw, request)
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value) reply.raw.setHeader(name, value)
    void answer(atMount(request, baseUrl), reply.raw)
  }

  await app.register(async (mounted) => {
    // The library reads bodies itself.
    mounted.removeAllContentTypeParsers()
    mounted.addContentTypeParser('*', (_request, _body, done) => done(null))
    mounted.get(mountPath + routes.authorization, pass)
    mounted.get(`${mountPath}${routes.authorization}/:uid`, pass)
    for (const route of [routes.token, routes.revocation, routes.introspection])
      mounted.post(mountPath + route, pass)
  })
  const document = metadata(baseUrl)
  for (const path of metadataPaths) app.get(path, async () => document)
}

/** The request as the library expects it: below its mount, and under the address that BASE_URL says, whoever asks. */
function atMount({ raw, ip }: FastifyRequest, baseUrl: URL): IncomingMessage {
  const url = (raw.url ?? '').replace(/^https?:\/\/[^/?#]*/i, '')
  Object.assign(raw.headers, {
    'x-forwarded-for': ip,
    'x-forwarded-host': baseUrl.host,
    'x-forwarded-proto': baseUrl.protocol.slice(0, -1),
  })
  return Object.assign(raw, { originalUrl: url, url: url.slice(mountPath.length) })
}
