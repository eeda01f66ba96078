/** The hostile tenant as its process knows it: where to call, with which credentials, and what it has found so far. */
import { Agent, request } from 'undici'

export interface TenantSettings {
  apiUrl: string
  intakeUrl: string
  /** The gateway's, which submits what is sent to the tenant's numbers. */
  producerKey: string
  /** Of pages, which calls by a browser must name. */
  origin: string
  accountId: number
  key: string
  login: { alias: string; email: string; password: string }
  /** Of healthy accounts: everybody may try to sign in as anybody. */
  otherLogins: readonly string[]
  app: { id: string; secret: string }
  hooks: number
  receiverUrls: readonly string[]
}

export interface Tenant extends TenantSettings {
  hookIds: number[]
  /** The newest of its events, for calls that name one. */
  eventIds: string[]
  replayIds: number[]
  /** Of a signed-in browser; empty until it is. */
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
  /** Sent as it is. */
  body?: string
  headers?: Record<string, string>
  /** Without the API key. */
  isAnonymous?: boolean
  isIntake?: boolean
}

interface Response {
  status: string
  cookies: string[]
  /** Undefined: not JSON. */
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

export function noteEvents({ eventIds }: Tenant, accepted: readonly string[]): void {
  eventIds.push(...accepted)
  eventIds.splice(0, Math.max(0, eventIds.length - maxEventIds))
}

export function anyOf<T>(values: readonly T[]): T | undefined {
  return values[Math.floor(Math.random() * values.length)]
}

/** As if from anywhere in the world: the proxy in front of the service is trusted. */
export function fromAnywhere(): Record<string, string> {
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
