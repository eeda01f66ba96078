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
import { headerPairs, outgoingRequest, type ShownRequest } from './outgoing.ts'

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
  return attempts.map(({ attempt, event }, place) => {
    const { answerHeaders, answerBody, ...known } = attempt
    const address = addresses[place]
    return {
      ...known,
      sentence: attemptSentence(attempt),
      advice: advice(attempt.reason, attempt.status),
      request: address === undefined ? null : rebuild(address, attempt, event, revealed),
      answer: attempt.status === null ? null : { headers: answerHeaders ?? '', ...readBody(answerBody) },
    }
  })
}

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
): ShownRequest | null {
  if (reason === 'address_too_long') return null
  const shown = revealed.data ? event : { ...event, data: maskData(event.data) }
  const made = outgoingRequest(
    { ...address, id: hookId, headers: [], secrets: [noKey] },
    noKey,
    { event: shown, round, attempts: attempt - 1 },
    startedAt.getTime(),
    // Masked, it can be longer than what was sent: each mark is encoded.
    Number.POSITIVE_INFINITY,
  )
  if (made === undefined) return null
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
    body: plainMarks(made.body),
  }
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
