/**
 * What both listeners share: bounds on what a client may send and how long it may take, a request id, one wide log line
 * a request, and failures in the envelope, also those found before a route is.
 */
import { randomUUID } from 'node:crypto'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Refusal } from '../model/errors.ts'
import { plainIp } from '../model/ip.ts'
import type { Log } from '../ops/log.ts'
import { failureBody, failureHeaders, toRefusal } from './envelope.ts'
import { judgeFraming } from './framing.ts'
import { handleUnreadable } from './unreadable.ts'

interface ListenerOptions {
  log: Log
  trustedProxies: readonly string[]
  /** Headers on every answer. */
  headers: Record<string, string>
  bodyLimitBytes: number
  /** Fields for the log line. */
  logFields: (request: FastifyRequest) => Record<string, unknown>
  failureStatus: (refusal: Refusal, request: FastifyRequest) => number
}

const requestTimeoutMs = 10_000
const headersTimeoutMs = 5_000
/** Longer than the idle time of common load balancers, so that they close first. */
const keepAliveMs = 75_000

declare module 'fastify' {
  interface FastifyRequest {
    failure?: { code: number; error?: unknown }
  }
}

export function createListener(options: ListenerOptions): FastifyInstance {
  const { log } = options
  const unreadable = handleUnreadable(log)
  const app = fastify({
    // The framework logs nothing by itself: every line is ours.
    logger: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: options.bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    forceCloseConnections: 'idle',
    // What has arrived while we stop is still answered, by us.
    return503OnClosing: false,
    // A missing Host is refused below, in the envelope.
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    genReqId: () => randomUUID(),
    clientErrorHandler: (error, socket) => void unreadable.answer(error, socket),
    // Found before any hook runs, so the headers are not there yet.
    frameworkErrors: (error, request, reply) => {
      addHeaders(request, reply)
      fail(error, request, reply)
    },
  })

  unreadable.watch(app.server)
  // Answered like every method we do not have; the framework would insist on a content type first.
  app.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true })

  // Bodies are taken as they are; what they mean is decided where parameters are read.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.addHook('onRequest', async (request, reply) => {
    addHeaders(request, reply)
    judgeFraming(request.raw)
  })
  app.addHook('onResponse', async (request, reply) => {
    const failure = request.failure
    const line = {
      request_id: request.id,
      method: request.method,
      // The route's pattern, never the path or query: they may hold a key.
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ip: plainIp(request.ip),
      ...options.logFields(request),
      ...(failure !== undefined && { code: failure.code }),
    }
    if (failure?.error === undefined) log.info(line, 'request')
    else log.error({ ...line, error: failure.error }, 'request')
  })
  app.setErrorHandler(fail)

  function addHeaders(request: FastifyRequest, reply: FastifyReply): void {
    void reply.headers({ ...options.headers, 'x-request-id': request.id })
  }

  function fail(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const refusal = toRefusal(error)
    const isOurs = refusal.status >= 500
    request.failure = { code: refusal.code, ...(isOurs && { error }) }
    void reply
      .status(options.failureStatus(refusal, request))
      .headers(failureHeaders(refusal))
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(failureBody(refusal)))
  }

  return app
}

/** How long calls under way may take when we stop. */
export const graceMs = 10_000

/** Calls under way are answered; a client that holds half a request cannot keep the process alive. */
export async function closeWithin(app: FastifyInstance, ms: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), ms)
  await app.close()
  clearTimeout(timer)
}
