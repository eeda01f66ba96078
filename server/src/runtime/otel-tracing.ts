/** Records spans with the OpenTelemetry SDK and exports them by OTLP over HTTP. Loaded only if tracing is on. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Context,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { ApiError } from '../model/errors.ts'
import { formatTraceparent, isSampled, spanIdOf, traceIdOf } from '../model/traceparent.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { silentSpan, type Span, type SpanName, type Tracing } from './tracing.ts'
import { readVersion } from './version.ts'

interface TracingSettings {
  /** Base URL of the collector. */
  otlpEndpoint: URL
  otlpHeaders: Record<string, string>
  traceRatio: number
}

const kinds: Record<SpanName, SpanKind> = {
  'accept events': SpanKind.SERVER,
  'accept events of account': SpanKind.PRODUCER,
  'route events': SpanKind.CONSUMER,
  attempt: SpanKind.CLIENT,
}

/** Further spans are dropped: a slow collector must not fill the memory. */
const maxQueuedSpans = 8_192
/** Also of the last exports during a shutdown. */
const exportTimeoutMs = 5_000
const exportDelayMs = 1_000
const maxLinks = 128

export async function createTracing(
  { otlpEndpoint, otlpHeaders, traceRatio }: TracingSettings,
  role: string,
  deps: { log: Log; metrics: Metrics },
): Promise<Tracing> {
  const version = await readVersion()
  const exporter = new OTLPTraceExporter({
    url: `${otlpEndpoint.href.replace(/\/$/, '')}/v1/traces`,
    headers: otlpHeaders,
    timeoutMillis: exportTimeoutMs,
    // Also limits the time to connect.
    httpAgentOptions: { keepAlive: true, timeout: exportTimeoutMs },
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': role === 'all' ? 'hookline' : `hookline-${role}`,
      'service.version': version,
      'service.instance.id': randomUUID(),
    }),
    sampler: new ParentBasedSampler({ root: rootSampler(traceRatio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: watchExports(exporter, deps),
        maxQueueSize: maxQueuedSpans,
        exportTimeoutMillis: exportTimeoutMs,
        scheduledDelayMillis: exportDelayMs,
      }),
    ],
    spanLimits: { linkCountLimit: maxLinks },
  })
  const tracer = provider.getTracer('hookline', version)

  return {
    async inSpan(name, { parent, links = [] }, run) {
      const followed = [...new Set(links)].filter(isSampled)
      const options = {
        kind: kinds[name],
        links: followed.slice(0, maxLinks).map((link) => ({ context: spanContext(link) })),
      }
      const span = tracer.startSpan(name, options, contextBelow(parent))
      if (!span.isRecording()) return run(silentSpan(parent))
      const recorded = recordedSpan(span)
      try {
        return await run(recorded)
      } catch (error) {
        recordError(recorded, error)
        throw error
      } finally {
        span.end()
        deps.metrics.spans.inc({ result: 'recorded' })
      }
    },
    async stop() {
      const stopped = provider.shutdown().catch(() => {})
      // The exporter waits for its open connections.
      await Promise.race([stopped, sleep(exportTimeoutMs, undefined, { ref: false })])
    },
  }
}

/** Rejections are the callers' errors. The message is left out: it can contain a URL. */
function recordError(span: Span, error: unknown): void {
  if (error instanceof ApiError) span.set({ 'hookline.error.code': error.code })
  if (!(error instanceof ApiError) || error.status >= 500)
    span.fail(error instanceof Error ? error.name : typeof error)
}

/** Calls start traces at the ratio, and spans with links if one of them is recorded. Attempts never start one. */
function rootSampler(ratio: number): Sampler {
  const byRatio = new TraceIdRatioBasedSampler(ratio)
  return {
    shouldSample(context, traceId, _name, kind, _attributes, links) {
      if (kind === SpanKind.SERVER) return byRatio.shouldSample(context, traceId)
      const isRecorded = kind !== SpanKind.CLIENT && links.length > 0
      return { decision: isRecorded ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD }
    },
    toString: () => `root calls at ${ratio}`,
  }
}

/** Counts exported spans, and logs when exports start to fail and when they work again. */
function watchExports(
  exporter: SpanExporter,
  { log, metrics }: { log: Log; metrics: Metrics },
): SpanExporter {
  let isFailing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined
        metrics.spans.inc({ result: hasFailed ? 'failed' : 'exported' }, spans.length)
        if (hasFailed && !isFailing) log.warn({ error: result.error }, 'trace export failed')
        if (!hasFailed && isFailing) log.info('trace export recovered')
        isFailing = hasFailed
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}

function recordedSpan(span: OtelSpan): Span {
  const { traceId, spanId } = span.spanContext()
  return {
    traceparent: formatTraceparent(traceId, spanId, true),
    set(attributes) {
      span.setAttributes(attributes)
    },
    fail(code) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', code)
    },
  }
}

function contextBelow(parent: string | null | undefined): Context {
  return parent == null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContext(parent))
}

function spanContext(traceparent: string): SpanContext {
  return {
    traceId: traceIdOf(traceparent),
    spanId: spanIdOf(traceparent),
    traceFlags: isSampled(traceparent) ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  }
}
