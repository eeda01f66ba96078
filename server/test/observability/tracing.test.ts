/** Traces from the producer through intake, route and attempt to the receiver, with a real collector endpoint. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { isSampled } from '../../src/model/traceparent.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createMetrics } from '../../src/runtime/metrics.ts'
import { createTracing } from '../../src/runtime/otel-tracing.ts'
import type { Span } from '../../src/runtime/tracing.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { call } from '../support/http-call.ts'
import { scrape, valueOf } from '../support/scrape.ts'
import { type CollectedSpan, type Collector, startCollector } from '../support/servers/collector.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })
const patient = { timeout: 30_000 }

/** Kinds of spans, as numbered by OTLP. */
const [server, client, consumer] = [2, 3, 5]

let collector: Collector
let receiver: Receiver
let hookline: TestService
let gateway: Gateway

beforeAll(async () => {
  collector = await startCollector()
  receiver = await startReceiver(({ url }, response, count) => {
    const isFirst =
      url.startsWith('/second-time') && !receiver.requests.slice(0, count - 1).some((r) => r.url === url)
    response.writeHead(url === '/moved' ? 302 : isFirst ? 503 : 204).end()
  })
  hookline = await startTestService({
    ALLOW_PRIVATE_TARGETS: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20b',
    OTEL_TRACES_SAMPLER_ARG: '1',
  })
  gateway = await createGateway(hookline)
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
  await collector.close()
})

/** The names by which the processes report: that of a role alone, or of both. */
function serviceNames(): { intake: string; worker: string } {
  return hookline.worker === hookline.service
    ? { intake: 'hookline', worker: 'hookline' }
    : { intake: 'hookline-api', worker: 'hookline-worker' }
}

interface Producer {
  traceId: string
  spanId: string
  header: string
}

function newTrace(flags = '01'): Producer {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, spanId, header: `00-${traceId}-${spanId}-${flags}` }
}

async function createHook(path: string, options: object = { trace_header: true }) {
  const account = await hookline.account()
  const json = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON', ...options }
  const created = await call(`${hookline.url}/api/hooks/create`, { method: 'POST', key: account.key, json })
  expect(created.status, created.text).toBe(200)
  return { account, hookId: created.json.hook.id as number }
}

/** Submits an event in the trace of its producer, to this process or another. */
async function submit(
  { accountId }: TestAccount,
  traceparent?: string,
  internalUrl?: string,
): Promise<string> {
  const { accepted } = await submitEvents([inboundSms(accountId)], traceparent, internalUrl)
  return accepted?.[0] ?? ''
}

async function submitEvents(
  events: readonly object[],
  traceparent?: string,
  internalUrl = hookline.service.internalUrl,
): Promise<{ accepted?: string[] }> {
  const response = await fetch(`${internalUrl}/intake/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, ...(traceparent !== undefined && { traceparent }) },
    body: JSON.stringify({ events }),
  })
  return (await response.json()) as { accepted?: string[] }
}

async function requestsOf(eventId: string, count = 1): Promise<ReceivedRequest[]> {
  const found = () => receiver.requests.filter(({ headers }) => headers['webhook-id'] === eventId)
  await receiver.until(() => found().length >= count, 30_000)
  return found()
}

function spansOf(traceId: string): CollectedSpan[] {
  return collector.spans.filter((span) => span.traceId === traceId)
}

async function attemptsOf(traceId: string, count: number): Promise<CollectedSpan[]> {
  const found = () => spansOf(traceId).filter(({ name }) => name === 'attempt')
  await expect.poll(found, patient).toHaveLength(count)
  return found()
}

function logLines(text: string): Array<Record<string, unknown>> {
  return [...new Set([hookline.service, hookline.worker])]
    .flatMap((running) => running.output().split('\n'))
    .filter((line) => line.includes(text))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe('a call in a recorded trace', () => {
  test('is followed from the producer to the receiver', async () => {
    const { account, hookId } = await createHook('/followed')
    const producer = newTrace()
    const eventId = await submit(account, producer.header)
    const [request] = await requestsOf(eventId)
    const [attempt] = await attemptsOf(producer.traceId, 1)

    const [intake, ...others] = spansOf(producer.traceId).filter(({ name }) => name === 'accept events')
    expect(others).toEqual([])
    expect(intake).toMatchObject({
      kind: server,
      parentSpanId: producer.spanId,
      service: serviceNames().intake,
    })
    expect(intake?.attributes).toEqual({ 'hookline.events.accepted': 1, 'hookline.events.rejected': 0 })

    const route = collector.spans.find(
      ({ name, links }) => name === 'route events' && links.some(({ spanId }) => spanId === intake?.spanId),
    )
    expect(route).toMatchObject({
      kind: consumer,
      links: [{ traceId: producer.traceId, spanId: intake?.spanId }],
    })
    expect(route?.traceId).not.toBe(producer.traceId)
    expect(route?.attributes).toMatchObject({ 'hookline.events': 1, 'hookline.deliveries.started': 1 })

    expect(attempt).toMatchObject({
      kind: client,
      parentSpanId: intake?.spanId,
      links: [{ traceId: route?.traceId, spanId: route?.spanId }],
      isError: false,
    })
    expect(attempt?.attributes).toMatchObject({
      'hookline.event.id': eventId,
      'hookline.event.type': 'sms_mo',
      'hookline.account.id': account.accountId,
      'hookline.webhook.id': hookId,
      'hookline.attempt': 1,
      'hookline.replay': 0,
      'http.response.status_code': 204,
    })
    expect(request?.headers.traceparent).toBe(`00-${producer.traceId}-${attempt?.spanId}-01`)
    expect(request?.headers.tracestate).toBeUndefined()
  })

  test('has no route if the event was leased when it was accepted', async () => {
    const { account } = await createHook('/leased')
    // The first event goes to the inbox, because the webhooks of its account are not cached.
    await requestsOf(await submit(account))
    await expect
      .poll(async () => {
        const producer = newTrace()
        const [request] = await requestsOf(await submit(account, producer.header))
        const [attempt] = await attemptsOf(producer.traceId, 1)
        const intake = spansOf(producer.traceId).find(({ name }) => name === 'accept events')
        expect(attempt?.parentSpanId).toBe(intake?.spanId)
        expect(request?.headers.traceparent).toBe(`00-${producer.traceId}-${attempt?.spanId}-01`)
        return attempt?.links
      }, patient)
      .toEqual([])
  })

  test('has a span for each attempt, also of a retry, a replay and an isolated process', async () => {
    const { account, hookId } = await createHook('/second-time')
    const producer = newTrace()
    const eventId = await submit(account, producer.header)
    await requestsOf(eventId, 2)
    await attemptsOf(producer.traceId, 2)
    await expect
      .poll(() => hookline.database.query('SELECT FROM deliveries WHERE event_id = $1', [eventId]), patient)
      .toHaveLength(1)
    // A second round whose lease has expired: its worker may have crashed because of it.
    await hookline.database.query(
      `INSERT INTO work (account_id, hook_id, event_id, round, type, accepted_at, due_at, lease, lease_until)
       VALUES ($1, $2, $3, 2, 'sms_mo', now(), now(), gen_random_uuid(), now() - interval '1 second')`,
      [account.accountId, hookId, eventId],
    )
    const requests = await requestsOf(eventId, 3)
    const attempts = await attemptsOf(producer.traceId, 3)
    expect(attempts.map(({ attributes, isError }) => [attributes['error.type'], isError])).toEqual([
      ['status', true],
      [undefined, false],
      [undefined, false],
    ])
    expect(attempts.map(({ attributes }) => attributes['hookline.replay'])).toEqual([0, 0, 1])
    expect(requests.map(({ headers }) => headers.traceparent)).toEqual(
      attempts.map(({ spanId }) => `00-${producer.traceId}-${spanId}-01`),
    )
  })

  test('is named by its id in the log lines of the call and of the attempt', async () => {
    const { account } = await createHook('/logged')
    const producer = newTrace()
    await submit(account, producer.header)
    await expect.poll(() => logLines(producer.traceId), patient).toHaveLength(2)
    expect(logLines(producer.traceId)).toMatchObject([
      { msg: 'request', trace_id: producer.traceId },
      { msg: 'attempt', trace_id: producer.traceId },
    ])
  })

  test('shows the trace in the details of the attempt, without the span', async () => {
    const { account } = await createHook('/shown')
    const producer = newTrace()
    const eventId = await submit(account, producer.header)
    await requestsOf(eventId)
    const read = async () =>
      (await call(`${hookline.url}/api/events/${eventId}`, { key: account.key })).json.hooks[0].deliveries[0]
        .attempts
    await expect.poll(read, patient).toHaveLength(1)
    const [{ request }] = await read()
    expect(request.headers).toContainEqual({
      name: 'traceparent',
      value: `00-${producer.traceId}-(not stored)`,
    })
  })
})

/** Submits two events for each of two accounts. Returns the traces that their receivers get. */
async function submitForTwo(producer: Producer) {
  const hooks = [await createHook('/first'), await createHook('/second')]
  const events = hooks
    .flatMap(({ account }) => [account, account])
    .map(({ accountId }) => inboundSms(accountId))
  const { accepted = [] } = await submitEvents(events, producer.header)
  const requests = (await Promise.all(accepted.map((id) => requestsOf(id)))).flat()
  return requests.map(({ headers }) => String(headers.traceparent).split('-')[1] ?? '')
}

describe('a call with events of two accounts', () => {
  test('has a trace for each account, with a link to the call', async () => {
    const producer = newTrace()
    const [first = '', second, third = '', fourth] = await submitForTwo(producer)
    expect([first, third]).toEqual([second, fourth])
    expect(new Set([first, third, producer.traceId]).size).toBe(3)
    for (const traceId of [first, third]) {
      await attemptsOf(traceId, 2)
      const start = spansOf(traceId).find(({ name }) => name === 'accept events of account')
      expect(start).toMatchObject({ links: [{ traceId: producer.traceId }] })
    }
  })

  test('has no common trace if it is not recorded', async () => {
    const traceIds = await submitForTwo(newTrace('00'))
    expect(new Set(traceIds).size).toBe(4)
  })
})

test('a rejected call is not an error of Hookline', async () => {
  const producer = newTrace()
  await submitEvents([], producer.header)
  await expect.poll(() => spansOf(producer.traceId), patient).toHaveLength(1)
  expect(spansOf(producer.traceId)).toMatchObject([
    { name: 'accept events', isError: false, attributes: { 'hookline.error.code': 1012 } },
  ])
})

test('the span of an attempt has the result by the retry policy of its webhook', async () => {
  const { account } = await createHook('/moved', { retry_policy: 'original' })
  const producer = newTrace()
  await submit(account, producer.header)
  const [attempt] = await attemptsOf(producer.traceId, 1)
  expect(attempt).toMatchObject({ isError: false, attributes: { 'http.response.status_code': 302 } })
})

test('a call without a trace starts one', async () => {
  const { account } = await createHook('/started')
  const eventId = await submit(account)
  const [request] = await requestsOf(eventId)
  const [, traceId = '', spanId, flags] = String(request?.headers.traceparent).split('-')
  const [attempt] = await attemptsOf(traceId, 1)
  expect(attempt).toMatchObject({ spanId, attributes: { 'hookline.event.id': eventId } })
  expect(flags).toBe('01')
  const intake = spansOf(traceId).find(({ name }) => name === 'accept events')
  expect(intake).not.toHaveProperty('parentSpanId')
})

test('a webhook without the option gets no header, and its attempts are recorded', async () => {
  const { account } = await createHook('/without', {})
  const producer = newTrace()
  const [request] = await requestsOf(await submit(account, producer.header))
  await attemptsOf(producer.traceId, 1)
  expect(request?.headers.traceparent).toBeUndefined()
})

test('a trace that is not recorded passes through unchanged', async () => {
  const { account } = await createHook('/unrecorded')
  const producer = newTrace('00')
  const [request] = await requestsOf(await submit(account, producer.header))
  expect(request?.headers.traceparent).toBe(producer.header)
  await flush()
  expect(spansOf(producer.traceId)).toEqual([])
})

test('an invalid header is ignored', async () => {
  const { account } = await createHook('/invalid')
  const producer = newTrace()
  const [request] = await requestsOf(await submit(account, `${producer.header}-01`))
  expect(request?.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  expect(request?.headers.traceparent).not.toContain(producer.traceId)
})

/** Waits for the spans of another recorded call: they are exported after all earlier ones. */
async function flush(): Promise<void> {
  const { account } = await createHook('/flush')
  const producer = newTrace()
  await submit(account, producer.header)
  await attemptsOf(producer.traceId, 1)
}

test('spans contain no URL, no content and no secret, and go to the collector with its headers', async () => {
  const secretUrl = '/private-path/token-5f1c?key=value-of-key'
  const { account } = await createHook(secretUrl, { headers: 'X-Own: header-77aa' })
  const producer = newTrace()
  await submit(account, producer.header)
  await attemptsOf(producer.traceId, 1)
  const text = collector.text()
  const { sender, system, text: message } = (inboundSms(1) as { data: Record<string, string> }).data
  for (const value of [
    'private-path',
    'token-5f1c',
    'value-of-key',
    '127.0.0.1',
    'header-77aa',
    sender,
    system,
    message,
  ])
    expect(text).not.toContain(value)
  for (const value of [account.alias, account.key, gateway.key]) expect(text).not.toContain(value)
  expect(collector.headers()).toMatchObject({ 'x-token': 'a b', 'content-type': 'application/json' })
})

test('with a ratio of 0 only calls in a recorded trace are recorded', async () => {
  const another = await hookline.startAnother({ OTEL_TRACES_SAMPLER_ARG: '0' }, 'api')
  const { account } = await createHook('/ratio')
  const [unknown] = await requestsOf(await submit(account, undefined, another.internalUrl))
  const eventId = String(unknown?.headers['webhook-id'])
  expect(unknown?.headers.traceparent).toBe(
    `00-${eventId.replaceAll('-', '')}-${eventId.replaceAll('-', '').slice(16)}-00`,
  )
  const producer = newTrace()
  await requestsOf(await submit(account, producer.header, another.internalUrl))
  await attemptsOf(producer.traceId, 1)
  const services = () => new Set(spansOf(producer.traceId).map(({ service }) => service))
  await expect.poll(services, patient).toEqual(new Set([serviceNames().worker, 'hookline-api']))
  expect(collector.text()).not.toContain(eventId)
})

async function traceparentOf({ traceparent }: Span): Promise<string | undefined> {
  return traceparent
}

test('an attempt of an event without a trace is not recorded, even if its route is', async () => {
  const settings = { otlpEndpoint: new URL(collector.url), otlpHeaders: {}, traceRatio: 1 }
  const deps = { log: createLog('silent'), metrics: createMetrics() }
  const tracing = await createTracing(settings, 'worker', deps)
  const producer = newTrace()
  const route = await tracing.inSpan('route events', { links: [undefined, producer.header] }, traceparentOf)
  const links = [route]
  const attempts = [
    await tracing.inSpan('attempt', { parent: producer.header, links }, traceparentOf),
    await tracing.inSpan('attempt', { parent: newTrace('00').header, links }, traceparentOf),
    await tracing.inSpan('attempt', { parent: null, links }, traceparentOf),
  ]
  await tracing.stop()
  expect(attempts.map(isSampled)).toEqual([true, false, false])
  const following = collector.spans.filter((span) =>
    span.links.some(({ traceId }) => route?.includes(traceId)),
  )
  expect(following).toMatchObject([{ name: 'attempt', traceId: producer.traceId }])
})

test('spans in memory are exported when a process stops', async () => {
  const another = await hookline.startAnother({}, 'api')
  const { account } = await createHook('/stopped')
  const producer = newTrace()
  await submit(account, producer.header, another.internalUrl)
  expect(await another.stop()).toBe(0)
  expect(spansOf(producer.traceId).map(({ name }) => name)).toContain('accept events')
})

test('without a collector the trace of the producer passes through', async () => {
  const another = await hookline.startAnother({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, 'api')
  const { account } = await createHook('/off')
  const producer = newTrace()
  const eventId = await submit(account, producer.header, another.internalUrl)
  const [request] = await requestsOf(eventId)
  // The worker of the first process has a collector, and records the attempt below the producer.
  const [attempt] = await attemptsOf(producer.traceId, 1)
  expect(attempt?.parentSpanId).toBe(producer.spanId)
  expect(request?.headers.traceparent).toBe(`00-${producer.traceId}-${attempt?.spanId}-01`)
})

test.runIf(process.env.TEST_SOURCE === undefined).each([
  ['is not there', async () => `http://127.0.0.1:${await freePort()}`],
  ['does not accept the connection', startUnresponsive],
  ['rejects the spans', async () => collector.url],
])('a collector that %s delays no delivery and no stop, and is logged once', async (_name, endpoint) => {
  collector.respondWith(400)
  try {
    const failing = await startTestService({
      ALLOW_PRIVATE_TARGETS: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: await endpoint(),
    })
    const { key } = await createGateway(failing)
    const account = await failing.account()
    const json = { target_url: receiver.url('/failing'), event_type: 'sms_mo', request_method: 'JSON' }
    await call(`${failing.url}/api/hooks/create`, { method: 'POST', key: account.key, json })
    const send = () =>
      fetch(`${failing.service.internalUrl}/intake/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ events: [inboundSms(account.accountId)] }),
      })
    const received = receiver.at('/failing').length
    await send()
    await receiver.until(() => receiver.at('/failing').length === received + 1)
    const failed = async () =>
      valueOf(await scrape(failing.service.internalUrl), 'hookline_trace_spans_total', { result: 'failed' })
    await expect.poll(failed, patient).toBeGreaterThan(0)
    const before = (await failed()) ?? 0
    await send()
    await receiver.until(() => receiver.at('/failing').length === received + 2)
    await expect.poll(failed, patient).toBeGreaterThan(before)
    await send()
    const stopStarted = performance.now()
    await failing.close()
    expect(performance.now() - stopStarted).toBeLessThan(10_000)
    expect(failing.service.output().match(/trace export failed/g)).toHaveLength(1)
  } finally {
    collector.respondWith(200)
  }
})

/** Starts a process that listens but never accepts. With a full backlog, the kernel ignores further connections. */
async function startUnresponsive(): Promise<string> {
  const script = `const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, server.address().port + '\\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120_000)
    process.exit()
  })`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const port = Number(line.toString())
  const waiting = Array.from({ length: 4 }, () => connect({ port, host: '127.0.0.1' }).on('error', () => {}))
  onTestFinished(() => waiting.forEach((socket) => socket.destroy()))
  return `http://127.0.0.1:${port}`
}
