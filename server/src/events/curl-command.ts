/** Returns a delivery as a curl command: the request as it would be sent now, to test a receiver with a real event. */
import type { Database } from '../db/database.ts'
import { loadDeliveryHook } from '../hooks/hook-cache.ts'
import type { Event } from '../model/event.ts'
import { hideQuery } from '../model/hide-secrets.ts'
import type { Vault } from '../vault/vault.ts'
import type { FormatFailure } from '../delivery/request/format.ts'
import { headerPairs, buildRequest } from '../delivery/request/build-request.ts'

interface Visibility {
  /** Show the values of custom headers. */
  headers: boolean
  /** Show the values of query parameters in the URL of the webhook. */
  urls: boolean
  /** Show signatures. Requires the right to see the signing secrets. */
  signatures: boolean
}

const signatures: ReadonlySet<string> = new Set([
  'webhook-signature',
  'x-signature',
  'x-hookline-next-signature',
  'x-nonce',
  'x-timestamp',
])

/** Returns undefined if the account has no such hook, and a reason if the request would be too large. */
export async function curlCommand(
  { db, vault, now }: { db: Database; vault: Vault; now: () => number },
  event: Event,
  hookId: number,
  visibility: Visibility,
): Promise<{ line: string } | FormatFailure | undefined> {
  const loaded = await loadDeliveryHook(db, vault, event.accountId, hookId)
  if (loaded === undefined) return undefined
  const { hook, signingKeys } = loaded
  const headers = visibility.headers
    ? hook.headers
    : hook.headers.map(({ name }) => ({ name, value: `<${name}>` }))
  const callUrl = visibility.urls ? hook.callUrl : hideQuery(hook.callUrl)
  const request = buildRequest(
    { ...hook, callUrl, headers },
    signingKeys,
    { event, round: 1, attempts: 0 },
    now(),
  )
  if (typeof request === 'string') return request
  const lines = headerPairs(request.headers)
    .filter(({ name }) => visibility.signatures || !signatures.has(name))
    .map(({ name, value }) => `-H ${quoted(headerLine(name, value))}`)
  const body = request.method === 'POST' ? [`--data-raw ${quoted(request.body)}`] : []
  // Without --globoff, curl reads brackets and braces in the URL as patterns.
  return { line: ['curl --globoff', ...lines, ...body, quoted(request.url)].join(' \\\n  ') }
}

/** curl drops a header of the form `name:`. `name;` sends it with an empty value. */
function headerLine(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`
}

/** Quotes for a POSIX shell: within single quotes only the quote itself is special. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
