/**
 * What both listeners share: bounds on what a client may send and how long it may take, a request id, one wide log line
 * a request, and failures in the envelope, also those found before a route is.
 */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Refusal } from '../model/errors.ts'
import { plainIp } from '../model/ip.ts'
import { describeError, type Log } from '../ops/log.ts'
import { failureBody, failureHeaders, toRefusal } from './envelope.ts'

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
  const app = fastify({
    // The framework logs nothing by itself: every line is ours.
    logger: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: options.bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    forceCloseConnections: 'idle',
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 1_000 },
    genReqId: () => randomUUID(),
    clientErrorHandler: (error, socket) => answerUnparsed(error, socket, log),
    // Found before any hook runs, so the headers are not there yet.
    frameworkErrors: (error, request, reply) => {
      addHeaders(request, reply)
      fail(error, request, reply)
    },
  })

  // Bodies are taken as they are; what they mean is decided where parameters are read.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.addHook('onRequest', async (request, reply) => addHeaders(request, reply))
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

/** A request that is no valid HTTP, or took too long: there is only a socket to answer on. */
function answerUnparsed(error: Error & { code?: string }, socket: Socket, log: Log): void {
  log.info({ error: { code: describeError(error).code } }, 'unreadable request')
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const refusal =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? new Refusal('requestTimeout', 'The request did not arrive completely in time.')
      : new Refusal('unreadableRequest', 'This is not a valid HTTP request.')
  const body = JSON.stringify(failureBody(refusal))
  const lines = [
    `HTTP/1.1 ${refusal.status} ${refusal.reason === 'requestTimeout' ? 'Request Timeout' : 'Bad Request'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
