/** A delivery as a line for a terminal: what would be sent now, to try a receiver with an event that really happened. */
import type { Database } from '../db/database.ts'
import { loadDeliveryHook } from '../hooks/delivery-hooks.ts'
import type { Event } from '../model/event.ts'
import type { Vault } from '../vault/vault.ts'
import type { FormatFailure } from './dispatch/format.ts'
import { headerPairs, outgoingRequest } from './outgoing.ts'

interface May {
  /** See the values of the headers that the customer has set. */
  headers: boolean
  /** See what signatures are made with, and so have them. */
  signatures: boolean
}

const signatures: ReadonlySet<string> = new Set([
  'webhook-signature',
  'x-signature',
  'x-nonce',
  'x-timestamp',
])

/** Undefined: the account has no such hook. A reason instead of the line: the request would be too large. */
export async function curlLine(
  { db, vault, now }: { db: Database; vault: Vault; now: () => number },
  event: Event,
  hookId: number,
  may: May,
): Promise<{ line: string } | FormatFailure | undefined> {
  const loaded = await loadDeliveryHook(db, vault, event.accountId, hookId)
  if (loaded === undefined) return undefined
  const { hook, signatureKey } = loaded
  const headers = may.headers ? hook.headers : hook.headers.map(({ name }) => ({ name, value: `<${name}>` }))
  const request = outgoingRequest({ ...hook, headers }, signatureKey, { event, round: 1, attempts: 0 }, now())
  if (typeof request === 'string') return request
  const lines = headerPairs(request.headers)
    .filter(({ name }) => may.signatures || !signatures.has(name))
    .map(({ name, value }) => `-H ${quoted(headerLine(name, value))}`)
  const body = request.method === 'POST' ? [`--data-raw ${quoted(request.body)}`] : []
  // Without --globoff brackets and braces in the address would be read as patterns.
  return { line: ['curl --globoff', ...lines, ...body, quoted(request.url)].join(' \\\n  ') }
}

/** To curl, a name with a colon and nothing behind it says that the header is left out. */
function headerLine(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`
}

/** For a POSIX shell: in single quotes everything but the quote itself is as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
