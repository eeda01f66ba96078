/**
 * Describes attempts for users: request, response, description and hint.
 *   endpoint at that time → request, rebuilt by the code that sent it → mask → description
 * The body is exactly what was sent. Signatures, nonce and span differ on each attempt and are not stored.
 */
import { createSecretKey } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { targetsAt, type HookEndpoint } from '../hooks/hook-history.ts'
import type { RetryPolicy } from '../model/delivery-options.ts'
import type { Event } from '../model/event.ts'
import type { EventCatalog } from '../model/event-type/catalog.ts'
import { hidden, hideQuery, hideValues } from '../model/hide-secrets.ts'
import { mask } from '../model/mask.ts'
import { maskData } from '../model/mask-data.ts'
import { hint, describeAttempt } from '../model/delivery/reasons.ts'
import { traceIdOf } from '../model/traceparent.ts'
import type { Vault } from '../vault/vault.ts'
import type { AttemptRecord } from './event-record.ts'
import {
  headerPairs,
  buildRequest,
  hasHeader,
  type RequestView as BuiltRequest,
} from '../delivery/request/build-request.ts'

/** Truncated: the URL and body would exceed the size limit of the API response. */
interface RequestView extends BuiltRequest {
  truncated: boolean
}

export interface AttemptView extends Omit<AttemptRecord, 'answerHeaders' | 'answerBody'> {
  message: string
  hint: string | null
  /** Of the hook at that time; undefined if its version is not known. */
  retryPolicy: RetryPolicy | undefined
  /** Null: the request could not be built, so nothing was sent. */
  request: RequestView | null
  response: { headers: string; body: string | null; isText: boolean; isTruncated: boolean } | null
}

/** Which values are shown unmasked. */
export interface Visibility {
  /** Of the event. */
  data: boolean
  /** Of custom headers. */
  headers: boolean
  /** Of query parameters in the URL of the webhook. */
  urls: boolean
  /** Of responses, which can repeat what a receiver got. */
  responses: boolean
}

export async function describeAttempts(
  { db, vault, catalog }: { db: Database; vault: Vault; catalog: EventCatalog },
  accountId: number,
  attempts: ReadonlyArray<{ attempt: AttemptRecord; event: Event }>,
  revealed: Visibility,
): Promise<AttemptView[]> {
  const moments = attempts.map(({ attempt }) => ({ hookId: attempt.hookId, at: attempt.startedAt }))
  const endpoints = await targetsAt(db, vault, accountId, moments)
  let remaining = maxVisibleCharacters
  return attempts.map(({ attempt, event }, index) => {
    const { answerHeaders, answerBody, ...record } = attempt
    const endpoint = endpoints[index]
    const isWithinLimit = remaining > 0
    const visible = isWithinLimit ? visibleData(event, catalog, revealed) : '{}'
    const request =
      endpoint === undefined
        ? null
        : rebuild(endpoint, attempt, { ...event, data: visible }, revealed, isWithinLimit)
    remaining -= (request?.url.length ?? 0) + (request?.body.length ?? 0)
    return {
      ...record,
      message: describeAttempt(attempt),
      hint: hint(attempt.reason, attempt.status),
      retryPolicy: endpoint?.retryPolicy,
      request,
      response:
        attempt.status === null
          ? null
          : {
              headers: revealed.responses ? (answerHeaders ?? '') : hideValues(answerHeaders ?? ''),
              ...readBody(revealed.responses ? answerBody : null),
            },
    }
  })
}

/**
 * Limit for the URLs and bodies in one API response. An event can have many attempts, and a masked form can have 9
 * MiB. Without this limit a single call could exhaust the memory of the process.
 */
const maxVisibleCharacters = 4 * 1024 * 1024
/** A masked character takes nine bytes in a form, and took at least one when it was sent. */
const maskedFactor = 9

const notStored = '(not stored)'
const fresh: ReadonlySet<string> = new Set(['webhook-signature', 'x-signature', 'x-nonce'])
/** The mask character is not part of the request, so it is shown decoded. */
const encodedMark = encodeURIComponent('•')
const noKey = createSecretKey(Buffer.alloc(32))

function rebuild(
  endpoint: HookEndpoint,
  { hookId, round, attempt, startedAt, reason }: AttemptRecord,
  /** With its visible data. */
  event: Event,
  revealed: Visibility,
  isWithinLimit: boolean,
): RequestView | null {
  if (reason === 'address_too_long' || reason === 'body_too_large') return null
  const headers = endpoint.headers.map(({ name, value }) => ({
    name,
    value: revealed.headers ? value : revealed.urls ? mask(value) : hidden,
  }))
  const built = buildRequest(
    { ...(revealed.urls ? endpoint : withoutCredentials(endpoint)), id: hookId, headers, secrets: [noKey] },
    [noKey],
    { event, round, attempts: attempt - 1 },
    startedAt.getTime(),
    revealed.data ? 1 : maskedFactor,
  )
  if (typeof built === 'string') return null
  const hasMarks = !revealed.data || !revealed.urls
  const plainMarks = (text: string): string => (hasMarks ? text.replaceAll(encodedMark, '•') : text)
  return {
    method: built.method,
    url: plainMarks(built.url),
    headers: headerPairs(built.headers).map(({ name, value }) => ({
      name,
      value: storedPart(endpoint, name, value),
    })),
    body: isWithinLimit ? plainMarks(built.body) : '',
    truncated: !isWithinLimit,
  }
}

function withoutCredentials(endpoint: HookEndpoint): HookEndpoint {
  return {
    ...endpoint,
    targetUrl: hideQuery(endpoint.targetUrl),
    callUrl: hideQuery(endpoint.callUrl),
  }
}

/** Of a custom header all is stored, of Hookline's `traceparent` only the trace. */
function storedPart(endpoint: HookEndpoint, name: string, value: string): string {
  if (fresh.has(name)) return notStored
  const isOwnTrace = name === 'traceparent' && !hasHeader(endpoint, name)
  return isOwnTrace ? `00-${traceIdOf(value)}-${notStored}` : value
}

function visibleData({ type, data }: Event, catalog: EventCatalog, revealed: Visibility): string {
  return revealed.data ? data : maskData(data, catalog.traitsOf(type).publicFields)
}

/** Stored bytes of a response body. */
const storedBytes = 4 * 1024

function readBody(body: Buffer | null): { body: string | null; isText: boolean; isTruncated: boolean } {
  const isTruncated = (body?.length ?? 0) >= storedBytes
  try {
    // A truncated body may end within a character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body ?? undefined, { stream: isTruncated })
    const isText = !/(?![\t\n\v\f\r])\p{Cc}/u.test(text)
    return { body: isText ? text : null, isText, isTruncated }
  } catch {
    return { body: null, isText: false, isTruncated }
  }
}
