import { describe, expect, test } from 'vitest'
import { isSampled, parseTraceparent, spanIdOf, traceIdOf, traceparentOfEvent } from './traceparent.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const sampled = `00-${traceId}-${spanId}-01`
const unsampled = `00-${traceId}-${spanId}-00`

describe('parseTraceparent', () => {
  test.each([
    ['a recorded trace', sampled, sampled],
    ['a trace that is not recorded', unsampled, unsampled],
    ['other flags, which are dropped', `00-${traceId}-${spanId}-03`, sampled],
    ['flags without the first', `00-${traceId}-${spanId}-fe`, unsampled],
    ['a later version', `cc-${traceId}-${spanId}-01`, sampled],
    ['a later version with more fields', `cc-${traceId}-${spanId}-01-what-follows`, sampled],
  ])('reads %s', (_name, header, expected) => {
    expect(parseTraceparent(header)).toBe(expected)
  })

  test.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['uppercase', sampled.toUpperCase()],
    ['more fields in version 00', `${sampled}-more`],
    ['a longer text in a later version', `cc-${traceId}-${spanId}-01.more`],
    ['version ff', `ff-${traceId}-${spanId}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['a span id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['a short trace id', `00-${traceId.slice(1)}-${spanId}-01`],
    ['two headers', `${sampled}, ${unsampled}`],
    ['spaces around', ` ${sampled} `],
    ['a line feed at the end', `${sampled}\n`],
  ])('ignores %s', (_name, header) => {
    expect(parseTraceparent(header)).toBeUndefined()
  })
})

test('the parts of a traceparent', () => {
  expect(traceIdOf(sampled)).toBe(traceId)
  expect(spanIdOf(sampled)).toBe(spanId)
  expect([sampled, unsampled, null, undefined].map(isSampled)).toEqual([true, false, false, false])
})

test('the trace of an event is valid, and nobody records it', () => {
  const traceparent = traceparentOfEvent('01938d5e-7c00-7000-8000-000000000001')
  expect(traceparent).toBe('00-01938d5e7c0070008000000000000001-8000000000000001-00')
  expect(parseTraceparent(traceparent)).toBe(traceparent)
})
