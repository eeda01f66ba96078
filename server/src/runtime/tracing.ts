/**
 * Traces of events: a span for the intake call, one for each route, one for each attempt. Without a collector there are
 * no spans, the SDK is not loaded, and the traceparent of the producer passes through.
 */
export type SpanName = 'accept events' | 'accept events of account' | 'route events' | 'attempt'

/** Ids, counts, codes and durations only: no URL, and nothing that a customer or receiver wrote. */
type SpanAttributes = Record<string, string | number | undefined>

export interface Span {
  /** The context for what follows from this span: this span, or without one that of the caller. */
  traceparent: string | undefined
  set: (attributes: SpanAttributes) => void
  /** Marks the span as failed, with a code. */
  fail: (code: string) => void
}

interface SpanOptions {
  parent?: string | null | undefined
  /** Spans that this one follows from, in other traces. */
  links?: ReadonlyArray<string | null | undefined>
}

export interface Tracing {
  /** Runs within a span, which ends with the result. A call of a producer without trace starts one, at the set ratio. */
  inSpan: <T>(name: SpanName, options: SpanOptions, run: (span: Span) => Promise<T>) => Promise<T>
  stop: () => Promise<void>
}

export const noTracing: Tracing = {
  inSpan: (_name, { parent }, run) => run(silentSpan(parent)),
  async stop() {},
}

/** A span that nobody records. */
export function silentSpan(parent: string | null | undefined): Span {
  return { traceparent: parent ?? undefined, set() {}, fail() {} }
}
