/**
 * Common base of the public and the internal server: size limits, timeouts, request ids, one log line per request, and
 * error bodies in the same format, even for errors before routing.
 */
import { randomUUID } from 'node:crypto'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { ApiError } from '../../model/errors.ts'
import { plainIp } from '../../model/ip.ts'
import type { Log } from '../../runtime/log.ts'
import { errorBody, errorHeaders, toApiError } from './envelope.ts'
import { validateFraming } from './framing.ts'
import { handleMalformed } from './malformed-requests.ts'

interface ListenerOptions {
  log: Log
  trustedProxies: readonly string[]
  /** Headers of every response. */
  headers: Record<string, string>
  bodyLimitBytes: number
  /** Additional fields of the log line. */
  logFields: (request: FastifyRequest) => Record<string, unknown>
  errorStatus: (rejection: ApiError, request: FastifyRequest) => number
  /** Whether the call is one of the fixed contract. */
  isContract: (request: FastifyRequest) => boolean
}

const requestTimeoutMs = 10_000
/** Idle time in both directions. A call can wait in several limiters, and live tails send a heartbeat every 15 s. */
const connectionTimeoutMs = 60_000
const headersTimeoutMs = 5_000
/** Longer than the idle timeout of common load balancers, so that they close connections first. */
const keepAliveMs = 75_000

declare module 'fastify' {
  interface FastifyRequest {
    failure?: { code: number; error?: unknown }
  }
}

export function createListener(options: ListenerOptions): FastifyInstance {
  const { log } = options
  const malformed = handleMalformed(log)
  const app = fastify({
    // Hookline writes its own log lines.
    logger: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: options.bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: connectionTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    forceCloseConnections: 'idle',
    // Requests that arrive during shutdown still get a response.
    return503OnClosing: false,
    // A missing Host is rejected in validateFraming, with an error body.
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    genReqId: () => randomUUID(),
    clientErrorHandler: (error, socket) => void malformed.respond(error, socket),
    // These errors occur before any hook runs, so the headers are added here.
    frameworkErrors: (error, request, reply) => {
      addHeaders(request, reply)
      fail(error, request, reply)
    },
  })

  malformed.watch(app.server)
  // Treats QUERY like other unsupported methods. The framework would require a Content-Type first.
  app.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true })

  // Bodies stay raw buffers here. They are parsed together with the parameters.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.addHook('onRequest', async (request, reply) => {
    addHeaders(request, reply)
    validateFraming(request.raw)
  })
  app.addHook('onResponse', async (request, reply) => {
    const failure = request.failure
    const line = {
      request_id: request.id,
      method: request.method,
      // Logs the route pattern only, because path and query can contain a key.
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
    const rejection = toApiError(error)
    // Concurrency limits also respond with 503, but are not internal errors.
    const isInternal = rejection.status >= 500 && rejection !== error
    request.failure = { code: rejection.code, ...(isInternal && { error }) }
    void reply
      .status(options.errorStatus(rejection, request))
      .headers(errorHeaders(rejection))
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(errorBody(rejection, options.isContract(request))))
  }

  return app
}

/** Max time for calls in flight during shutdown. */
export const graceMs = 10_000

/**
 * Closes the server after calls in flight have completed, within a time limit. Clients with partial requests or idle
 * connections do not delay the shutdown beyond it.
 */
export async function closeWithin(
  app: FastifyInstance,
  ms: number,
  stopAccepting: () => Promise<void> = async () => {},
): Promise<void> {
  // Connections of calls in flight now close right after their response.
  app.server.keepAliveTimeout = 1
  const timer = setTimeout(() => app.server.closeAllConnections(), ms)
  try {
    await Promise.all([stopAccepting(), app.close()])
  } finally {
    clearTimeout(timer)
  }
}
