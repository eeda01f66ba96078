/**
 * Attempts as people look at them: what was sent, what was answered, what it means and what to do about it.
 *   the hook's address at that time → the request, made anew by the code that sent it → mask → sentences
 * Of a request the body is exactly what was sent. Signatures and nonce are fresh each time and not kept.
 */
import { createSecretKey } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { addressesAt, type HookAddress } from '../hooks/hook-history.ts'
import type { Event } from '../model/event.ts'
import { mask } from '../model/mask.ts'
import { maskData } from '../model/mask-data.ts'
import { advice, attemptSentence } from '../model/reasons.ts'
import type { Vault } from '../vault/vault.ts'
import type { AttemptRecord } from './ledger/event-record.ts'
import { headerPairs, outgoingRequest, type ShownRequest as BuiltRequest } from './outgoing.ts'

/** Truncated: the response has no room for its address and body. */
interface ShownRequest extends BuiltRequest {
  truncated: boolean
}

export interface ShownAttempt extends Omit<AttemptRecord, 'answerHeaders' | 'answerBody'> {
  sentence: string
  advice: string | null
  /** Null: nothing could be made of it, so nothing was sent. */
  request: ShownRequest | null
  answer: { headers: string; body: string | null; isText: boolean; isTruncated: boolean } | null
}

/** What may be seen as it is: the event's data, and the values of the headers that the customer has set. */
export interface Revealed {
  data: boolean
  headers: boolean
}

export async function showAttempts(
  { db, vault }: { db: Database; vault: Vault },
  accountId: number,
  attempts: ReadonlyArray<{ attempt: AttemptRecord; event: Event }>,
  revealed: Revealed,
): Promise<ShownAttempt[]> {
  const moments = attempts.map(({ attempt }) => ({ hookId: attempt.hookId, at: attempt.startedAt }))
  const addresses = await addressesAt(db, vault, accountId, moments)
  let room = maxShownCharacters
  return attempts.map(({ attempt, event }, place) => {
    const { answerHeaders, answerBody, ...known } = attempt
    const address = addresses[place]
    const request = address === undefined ? null : rebuild(address, attempt, event, revealed, room > 0)
    room -= (request?.url.length ?? 0) + (request?.body.length ?? 0)
    return {
      ...known,
      sentence: attemptSentence(attempt),
      advice: advice(attempt.reason, attempt.status),
      request,
      answer: attempt.status === null ? null : { headers: answerHeaders ?? '', ...readBody(answerBody) },
    }
  })
}

/**
 * Of addresses and bodies in one response. An event can have many attempts and a masked form can have 9 MiB, so without
 * this a single call could use up the memory of the process.
 */
const maxShownCharacters = 4 * 1024 * 1024
/** A masked character is nine bytes in a form, and was at least one when it was sent. */
const maskedFactor = 9

const notKept = '(not kept)'
const fresh: ReadonlySet<string> = new Set(['webhook-signature', 'x-signature', 'x-nonce'])
/** What masks is no part of the request, so it need not be encoded like one. */
const encodedMark = encodeURIComponent('•')
const noKey = createSecretKey(Buffer.alloc(32))

function rebuild(
  address: HookAddress,
  { hookId, round, attempt, startedAt, reason }: AttemptRecord,
  event: Event,
  revealed: Revealed,
  hasRoom: boolean,
): ShownRequest | null {
  if (reason === 'address_too_long' || reason === 'body_too_large') return null
  const shown = { ...event, data: hasRoom ? shownData(event, revealed) : '{}' }
  const made = outgoingRequest(
    { ...address, id: hookId, headers: [], secrets: [noKey] },
    noKey,
    { event: shown, round, attempts: attempt - 1 },
    startedAt.getTime(),
    revealed.data ? 1 : maskedFactor,
  )
  if (typeof made === 'string') return null
  const own = headerPairs(made.headers).map(({ name, value }) => ({
    name,
    value: fresh.has(name) ? notKept : value,
  }))
  const custom = address.headers.map(({ name, value }) => ({
    name,
    value: revealed.headers ? value : mask(value),
  }))
  const plainMarks = (text: string): string => (revealed.data ? text : text.replaceAll(encodedMark, '•'))
  return {
    method: made.method,
    url: plainMarks(made.url),
    headers: [...own, ...custom],
    body: hasRoom ? plainMarks(made.body) : '',
    truncated: !hasRoom,
  }
}

function shownData(event: Event, revealed: Revealed): string {
  return revealed.data ? event.data : maskData(event.data)
}

/** As many bytes of an answer are kept. */
const keptBytes = 4 * 1024

function readBody(body: Buffer | null): { body: string | null; isText: boolean; isTruncated: boolean } {
  const isTruncated = (body?.length ?? 0) >= keptBytes
  try {
    // What was cut may end within a character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body ?? undefined, { stream: isTruncated })
    const isText = !/(?![\t\n\v\f\r])\p{Cc}/u.test(text)
    return { body: isText ? text : null, isText, isTruncated }
  } catch {
    return { body: null, isText: false, isTruncated }
  }
}
