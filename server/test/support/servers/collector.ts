/** A collector of traces on loopback: reads OTLP as JSON over HTTP, as the exporter sends it. */
import { createServer } from 'node:http'
import { listenOnLoopback } from './loopback-server.ts'

export interface CollectedSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Record<string, string | number>
  links: Array<{ traceId: string; spanId: string }>
  isError: boolean
  service: string
}

export interface Collector {
  url: string
  spans: CollectedSpan[]
  /** Everything that was received, as text. */
  text: () => string
  /** Headers of the last export. */
  headers: () => Record<string, unknown>
  /** Status of the responses from now on. */
  respondWith: (status: number) => void
  close: () => Promise<void>
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number }
}

interface OtlpSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes?: Attribute[]
  links?: Array<{ traceId: string; spanId: string }>
  status?: { code?: number }
}

interface OtlpExport {
  resourceSpans: Array<{ resource: { attributes: Attribute[] }; scopeSpans: Array<{ spans: OtlpSpan[] }> }>
}

const errorStatus = 2

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  let text = ''
  let headers: Record<string, unknown> = {}
  let status = 200
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      headers = request.headers
      if (status === 200 && request.url === '/v1/traces') {
        text += body
        spans.push(...readSpans(JSON.parse(body) as OtlpExport))
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const { port, close } = await listenOnLoopback(server)
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    text: () => text,
    headers: () => headers,
    respondWith(newStatus) {
      status = newStatus
    },
    close,
  }
}

function readSpans({ resourceSpans }: OtlpExport): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ name, kind, traceId, spanId, parentSpanId, attributes, links, status }) => ({
        name,
        kind,
        traceId,
        spanId,
        ...(parentSpanId !== undefined && { parentSpanId }),
        attributes: readAttributes(attributes),
        links: (links ?? []).map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
        isError: status?.code === errorStatus,
        service: String(readAttributes(resource.attributes)['service.name']),
      })),
    ),
  )
}

function readAttributes(attributes: readonly Attribute[] = []): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ??
        (value.intValue === undefined ? (value.doubleValue ?? '') : Number(value.intValue)),
    ]),
  )
}
