/**
 * The header `traceparent` of W3C Trace Context: a trace, the caller's span in it, and whether the trace is recorded.
 */
const pattern = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const sampledFlag = 1

/** Returns the header in version 00, or undefined if it is invalid. An invalid header is ignored, as W3C requires. */
export function parseTraceparent(header: string | undefined): string | undefined {
  const [, version = '', traceId = '', spanId = '', flags = '', rest] = pattern.exec(header ?? '') ?? []
  if (traceId === '' || (version === '00' && rest !== undefined)) return undefined
  return formatTraceparent(traceId, spanId, (Number.parseInt(flags, 16) & sampledFlag) !== 0)
}

export function formatTraceparent(traceId: string, spanId: string, isRecorded: boolean): string {
  return `00-${traceId}-${spanId}-${isRecorded ? '01' : '00'}`
}

export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35)
}

export function spanIdOf(traceparent: string): string {
  return traceparent.slice(36, 52)
}

export function isSampled(traceparent: string | null | undefined): traceparent is string {
  return traceparent?.endsWith('-01') ?? false
}

/** The trace of an event whose producer sent none: all its requests have the same id, and nobody records it. */
export function traceparentOfEvent(eventId: string): string {
  const hex = eventId.replaceAll('-', '')
  return formatTraceparent(hex, hex.slice(16), false)
}
