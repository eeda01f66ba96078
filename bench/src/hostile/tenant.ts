/** State of the hostile tenant: URLs, credentials, and the ids it has received so far. */
import { Agent, request } from 'undici'

export interface TenantSettings {
  apiUrl: string
  intakeUrl: string
  /** Key of the gateway, which submits the tenant's events. */
  producerKey: string
  /** Origin that browser requests must send. */
  origin: string
  accountId: number
  key: string
  login: { alias: string; email: string; password: string }
  /** Logins of others. The tenant tries to sign in with them. */
  otherLogins: readonly string[]
  app: { id: string; secret: string }
  hooks: number
  receiverUrls: readonly string[]
}

export interface Tenant extends TenantSettings {
  hookIds: number[]
  /** Ids of the newest events, for calls with an event id. */
  eventIds: string[]
  replayIds: number[]
  /** Headers of the signed-in session. Empty before sign-in. */
  session: Record<string, string>
  send: (call: Call) => Promise<Response>
}

interface Call {
  method?: 'GET' | 'POST' | 'DELETE'
  path: string
  /** Sent as JSON. */
  json?: unknown
  /** Sent as a form. */
  form?: Record<string, string>
  /** Sent unchanged. */
  body?: string
  headers?: Record<string, string>
  /** Omits the API key. */
  isAnonymous?: boolean
  isIntake?: boolean
}

interface Response {
  status: string
  cookies: string[]
  /** Parsed JSON, undefined if the body is not JSON. */
  body: any // oxlint-disable-line typescript/no-explicit-any -- the wire is untyped
}

const timeoutMs = 30_000
const maxConnections = 256
const maxEventIds = 1_000

export function createTenant(settings: TenantSettings): Tenant {
  const agent = new Agent({ connections: maxConnections, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  const eventIds: string[] = []

  async function send(call: Call): Promise<Response> {
    const { method = 'GET', path, form, isAnonymous = false, isIntake = false } = call
    const contentType = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
    const text = textOf(call)
    const response = await request((isIntake ? settings.intakeUrl : settings.apiUrl) + path, {
      method,
      dispatcher: agent,
      headers: {
        ...(!isAnonymous && { 'x-api-key': settings.key }),
        ...(text !== undefined && { 'content-type': contentType }),
        ...call.headers,
      },
      ...(text !== undefined && { body: text }),
    })
    const body = await response.body.text()
    const cookies = [response.headers['set-cookie'] ?? []].flat()
    return { status: String(response.statusCode), cookies, body: parsed(body) }
  }

  return { ...settings, hookIds: [], eventIds, replayIds: [], session: {}, send }
}

export function recordEvents({ eventIds }: Tenant, accepted: readonly string[]): void {
  eventIds.push(...accepted)
  eventIds.splice(0, Math.max(0, eventIds.length - maxEventIds))
}

export function randomItem<T>(values: readonly T[]): T | undefined {
  return values[Math.floor(Math.random() * values.length)]
}

/** Returns a random client address. The service trusts the header, because it trusts the proxy. */
export function randomSourceIp(): Record<string, string> {
  const parts = Array.from({ length: 4 }, () => 20 + Math.floor(Math.random() * 100))
  return { 'x-forwarded-for': parts.join('.') }
}

function textOf({ body, json, form }: Call): string | undefined {
  if (body !== undefined) return body
  if (form !== undefined) return new URLSearchParams(form).toString()
  return json === undefined ? undefined : JSON.stringify(json)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
