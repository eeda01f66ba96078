/** Downloads the results of a search as a file and reports the progress. */
import { ApiError, type ErrorCode } from '@hookline/client'
import { type EventsSearch, toApiSearch } from './events.ts'

export type ExportFormat = 'csv' | 'jsonl'

export interface ExportProgress {
  events: number
  bytes: number
}

export interface ExportResult extends ExportProgress {
  file: Blob
  /** The limit cut the export off. It continues from this cursor. */
  next: string | null
}

interface ExportOptions {
  search: EventsSearch
  format: ExportFormat
  isRevealed: boolean
  /** Why data is revealed. */
  reason: string | undefined
  /** Continues an export that was cut off. */
  cursor: string | undefined
  signal: AbortSignal
  onProgress: (progress: ExportProgress) => void
}

export async function exportEvents(options: ExportOptions): Promise<ExportResult> {
  const { format, signal, onProgress } = options
  const response = await fetch(exportUrl(options), { signal })
  if (!response.ok || response.body === null) throw await readError(response)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const decoder = new TextDecoder()
  let lines = 0
  let bytes = 0
  let end = ''
  const events = () => Math.max(0, lines - (format === 'csv' ? 1 : 0))
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    chunks.push(chunk)
    bytes += chunk.length
    for (const byte of chunk) if (byte === lineFeed) lines++
    end = (end + decoder.decode(chunk, { stream: true })).slice(-endLength)
    onProgress({ events: events(), bytes })
  }
  const next = readNext(end)
  return {
    file: new Blob(chunks, { type: response.headers.get('content-type') ?? '' }),
    events: events() - (next === null ? 0 : 1),
    bytes,
    next,
  }
}

const lineFeed = 10
/** Longer than the last line of an export that was cut off. */
const endLength = 400

function exportUrl({ search, format, isRevealed, reason, cursor }: ExportOptions): string {
  const params = new URLSearchParams({ format })
  for (const [name, value] of Object.entries(toApiSearch(search)))
    if (value !== undefined) params.set(name, String(value))
  if (isRevealed) params.set('reveal', 'true')
  if (isRevealed && reason !== undefined) params.set('reveal_reason', reason)
  if (cursor !== undefined) params.set('cursor', cursor)
  return `/api/events/export?${params.toString()}`
}

/** An export that was cut off says so in its last line, with the cursor. */
function readNext(end: string): string | null {
  const last = end.trimEnd().split('\n').at(-1) ?? ''
  const match =
    /^\{"truncated":true.*"next":"([\w-]+)"\}$/.exec(last) ??
    /^"?truncated after .* cursor ([\w-]+)"?$/.exec(last)
  return match?.[1] ?? null
}

async function readError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as { code?: ErrorCode; error_message?: string }
  return new ApiError(body.error_message ?? 'The export failed.', {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    ...(body.code !== undefined && { code: body.code }),
  })
}
