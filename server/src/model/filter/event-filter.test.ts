/** Tests which filters can be saved. A saved `cel:` expression compiles later and returns true or false. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../errors.ts'
import { validateFilter } from './event-filter.ts'

const maxBytes = 1024

/** Returns the message of the rejection, or undefined if the filter is accepted. */
function rejection(filter: string): string | undefined {
  try {
    validateFilter(filter, maxBytes)
    return undefined
  } catch (error) {
    if (error instanceof ApiError && error.code === 1022) return error.message
    throw error
  }
}

describe('plain values', () => {
  test.each(['49123', '+49 123, 0049 5', 'SHOP', 'agent-1', 'Zürich', 'null', 'cel', 'celebrate', 'a;b'])(
    '%s is accepted',
    (filter) => {
      expect(rejection(filter)).toBeUndefined()
    },
  )

  test.each([
    ['an empty value', '1,,2'],
    ['a trailing comma', '1,'],
    ['only commas', ',,'],
    ['only a space', ' '],
    ['a tab', '1\t2'],
    ['a line break', '1\n2'],
    ['a lone surrogate', '1\ud800'],
  ])('%s is rejected', (_name, filter) => {
    expect(rejection(filter)).toEqual(expect.any(String))
  })
})

describe('accepted expressions', () => {
  test.each([
    'cel:true',
    'cel:data.system == "49123"',
    'cel: event.type == "sms_mo" && data.text.startsWith("STOP")',
    'cel:data.system in ["1", "2"]',
    'cel:has(data.foreign_id) || size(data) > 3',
    'cel:!(data["status"] == "FAILED")',
    'cel:data.items.exists(item, item == 1)',
    // The value of a field is known only when an event arrives. Any value but true is then no match.
    'cel:data.is_test',
    `cel:${'('.repeat(23)}true${')'.repeat(23)}`,
    `cel:1 in [${'1,'.repeat(63)}1]`,
  ])('%s', (filter) => {
    expect(rejection(filter)).toBeUndefined()
  })
})

describe('rejected expressions', () => {
  test.each([
    ['an empty expression', 'cel:', /Invalid filter expression/],
    ['an incomplete expression', 'cel:data.system == ', /Invalid filter expression/],
    ['two expressions', 'cel:true; false', /Invalid filter expression/],
    ['another language', 'cel:data.system === "1"', /Invalid filter expression/],
    ['a leading NUL', 'cel:\0true', /Invalid filter expression/],
    ['an unknown variable', 'cel:sender == "1"', /Unknown name: sender/],
    ['a property name of Object.prototype', 'cel:constructor', /Unknown name: constructor/],
    ['a global of the runtime', 'cel:process.env.MASTER_KEY == ""', /Unknown name: process/],
    ['an unknown function', 'cel:fetch("http://127.0.0.1/")', /Invalid filter expression/],
    ['types that are not comparable', 'cel:"1" == 1', /Invalid filter expression/],
    ['a number', 'cel:1', /must return true or false, but returns int/],
    ['a string', 'cel:"true"', /must return true or false, but returns string/],
    ['a list', 'cel:[true]', /must return true or false, but returns list/],
    ['the event itself', 'cel:event', /must return true or false, but returns map/],
    ['null', 'cel:null', /must return true or false, but returns null/],
    ['too deeply nested brackets', `cel:${'('.repeat(24)}true${')'.repeat(24)}`, /nested too deeply/],
    ['unclosed brackets', `cel:${'['.repeat(1_000)}`, /nested too deeply/],
    ['too many nodes', `cel:${'!'.repeat(1_000)}true`, /too many parts/],
    ['a list that is too long', `cel:1 in [${'1,'.repeat(64)}1]`, /list with too many values/],
  ])('%s', (_name, filter, reason) => {
    expect(rejection(filter)).toMatch(reason)
  })

  test('give a one-line reason', () => {
    expect(rejection('cel:data.a ==\n\n1 +')).not.toContain('\n')
  })
})

test('the length limit counts bytes', () => {
  expect(rejection('é'.repeat(512))).toBeUndefined()
  expect(rejection(`${'é'.repeat(512)}1`)).toBe('The filter is longer than 1024 bytes.')
  expect(rejection(`cel:data.a == "${'a'.repeat(1_008)}"`)).toBeUndefined()
  expect(rejection(`cel:data.a == "${'a'.repeat(1_009)}"`)).toBe('The filter is longer than 1024 bytes.')
})

test('any text is quickly accepted or rejected as a filter', () => {
  const part = fc.constantFrom(
    'data',
    'event',
    '.a',
    '["b"]',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '!',
    '-',
    '&&',
    '||',
    '==',
    '?',
    ':',
    ',',
    '"',
    "'",
    '\\',
    '1',
    '1e9',
    '0x',
    'u',
    'in',
    'has(',
    '.map(x,',
    '.exists(x,',
    '//',
    '\n',
    'r"',
    '"""',
  )
  const filter = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary' }).map((text) => `cel:${text}`),
    fc.array(part, { maxLength: 300 }).map((parts) => `cel:${parts.join('')}`),
    fc.tuple(part, fc.integer({ min: 1, max: 1_000 })).map(([text, times]) => `cel:${text.repeat(times)}`),
  )
  let slowestMs = 0
  fc.assert(
    fc.property(filter, (text) => {
      const started = threadMs()
      rejection(text)
      slowestMs = Math.max(slowestMs, threadMs() - started)
    }),
    { numRuns: 2_000 },
  )
  expect(slowestMs).toBeLessThan(500)
})

/** Returns the CPU time of this thread. Wall-clock time depends on the load of the machine. */
function threadMs(): number {
  return process.threadCpuUsage().user / 1_000
}
