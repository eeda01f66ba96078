/**
 * An identity provider under the control of an attacker, or a broken one: each document and token can be wrong in one way. It signs
 * with node:crypto and shares no code with the client that is tested.
 */
import { createHmac, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenOnLoopback } from './loopback-server.ts'

type Json = Record<string, unknown>

/** What the provider does instead of its usual response. */
type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface HostileProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** Changes of the configuration. */
  metadata: Json
  /** Changes of the claims of the next ID tokens. Undefined removes one. */
  claims: Json
  /** Changes of the header of the next ID tokens. */
  header: Json
  /** How the next ID tokens are signed. */
  signature: 'key' | 'other-key' | 'secret' | 'none' | 'broken'
  /** Changes of the token response. */
  tokens: Json
  /** Responses of paths, instead of the usual ones. */
  handlers: Map<string, Handler>
  /** Paths that were requested. */
  requests: string[]
  /** Undoes all changes. */
  reset: () => void
  /** Responds to an authorization URL, and returns the URL at which the browser continues. */
  authorize: (authorizationUrl: string, extra?: Record<string, string>) => string
  close: () => Promise<void>
}

export async function startHostileProvider(): Promise<HostileProvider> {
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const clientSecret = randomBytes(16).toString('hex')
  /** Nonces by code. */
  const codes = new Map<string, string>()

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://provider').pathname
    provider.requests.push(path)
    const handler = provider.handlers.get(path) ?? usual[path]
    if (handler === undefined) response.writeHead(404).end()
    else handler(request, response)
  })
  const { port, close } = await listenOnLoopback(server)
  const issuer = `http://127.0.0.1:${port}`

  const usual: Record<string, Handler> = {
    '/.well-known/openid-configuration': (_request, response) =>
      sendJson(response, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        code_challenge_methods_supported: ['S256'],
        ...provider.metadata,
      }),
    '/jwks': (_request, response) =>
      sendJson(response, {
        keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: 'key', use: 'sig', alg: 'RS256' }],
      }),
    '/token': (request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        const code = new URLSearchParams(body).get('code') ?? ''
        sendJson(response, {
          access_token: 'token',
          token_type: 'Bearer',
          expires_in: 60,
          id_token: idToken(codes.get(code)),
          ...provider.tokens,
        })
      })
    },
  }

  function idToken(nonce: string | undefined): string {
    const now = Math.floor(Date.now() / 1_000)
    const alg = { key: 'RS256', 'other-key': 'RS256', broken: 'RS256', secret: 'HS256', none: 'none' }
    const head = { alg: alg[provider.signature], kid: 'key', ...provider.header }
    const claims = { iss: issuer, aud: 'hookline', sub: 'sub', iat: now, exp: now + 60, nonce }
    const signed = [head, { ...claims, ...provider.claims }].map(encode).join('.')
    return `${signed}.${sign(signed)}`
  }

  function sign(signed: string): string {
    switch (provider.signature) {
      case 'none':
        return ''
      case 'secret':
        return createHmac('sha256', clientSecret).update(signed).digest('base64url')
      case 'other-key':
        return createSign('sha256').update(signed).sign(otherKey.privateKey, 'base64url')
      case 'broken':
        return createSign('sha256').update(`${signed}x`).sign(key.privateKey, 'base64url')
      case 'key':
        return createSign('sha256').update(signed).sign(key.privateKey, 'base64url')
    }
  }

  const provider: HostileProvider = {
    issuer,
    clientId: 'hookline',
    clientSecret,
    metadata: {},
    claims: {},
    header: {},
    signature: 'key',
    tokens: {},
    handlers: new Map(),
    requests: [],
    reset() {
      Object.assign(provider, { metadata: {}, claims: {}, header: {}, signature: 'key', tokens: {} })
      provider.handlers.clear()
      provider.requests.length = 0
    },
    authorize(authorizationUrl, extra = {}) {
      const { searchParams } = new URL(authorizationUrl)
      const code = randomBytes(8).toString('hex')
      codes.set(code, searchParams.get('nonce') ?? '')
      const next = new URL(searchParams.get('redirect_uri') ?? '')
      for (const [name, value] of Object.entries({ code, state: searchParams.get('state') ?? '', ...extra }))
        next.searchParams.set(name, value)
      return next.href
    },
    close,
  }
  return provider
}

function sendJson(response: ServerResponse, body: Json): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
