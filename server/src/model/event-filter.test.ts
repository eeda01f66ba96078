/** What can be saved as a filter. A `cel:` expression that is saved can be compiled later and answers true or false. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from './errors.ts'
import { filterWarning, judgeFilter } from './event-filter.ts'

const maxBytes = 1024

/** The sentence of the refusal, or undefined when the filter is accepted. */
function refusal(filter: string): string | undefined {
  try {
    judgeFilter(filter, maxBytes)
    return undefined
  } catch (error) {
    if (error instanceof Refusal && error.code === 1022) return error.message
    throw error
  }
}

describe('plain values', () => {
  test.each(['49123', '+49 123, 0049 5', 'SHOP', 'agent-1', 'Zürich', 'null', 'cel', 'celebrate', 'a;b'])(
    '%s is accepted',
    (filter) => {
      expect(refusal(filter)).toBeUndefined()
    },
  )

  test.each([
    ['an empty value', '1,,2'],
    ['a comma at the end', '1,'],
    ['nothing but commas', ',,'],
    ['nothing but a space', ' '],
    ['a tab', '1\t2'],
    ['a line break', '1\n2'],
    ['half a surrogate pair', '1\ud800'],
  ])('%s is refused', (_name, filter) => {
    expect(refusal(filter)).toEqual(expect.any(String))
  })
})

describe('expressions that are accepted', () => {
  test.each([
    'cel:true',
    'cel:data.system == "49123"',
    'cel: event.type == "sms_mo" && data.text.startsWith("STOP")',
    'cel:data.system in ["1", "2"]',
    'cel:has(data.foreign_id) || size(data) > 3',
    'cel:!(data["status"] == "FAILED")',
    'cel:data.items.exists(item, item == 1)',
    // What a field holds is only known when an event comes; anything but true is then no match.
    'cel:data.is_test',
    `cel:${'('.repeat(23)}true${')'.repeat(23)}`,
    `cel:1 in [${'1,'.repeat(63)}1]`,
  ])('%s', (filter) => {
    expect(refusal(filter)).toBeUndefined()
  })
})

describe('expressions that are refused', () => {
  test.each([
    ['nothing', 'cel:', /not valid/],
    ['an unfinished one', 'cel:data.system == ', /not valid/],
    ['two', 'cel:true; false', /not valid/],
    ['another language', 'cel:data.system === "1"', /not valid/],
    ['a text with a NUL before it', 'cel:\0true', /not valid/],
    ['an unknown variable', 'cel:sender == "1"', /Unknown variable: sender/],
    ['a name that all objects have', 'cel:constructor', /Unknown variable: constructor/],
    ['a name of the runtime', 'cel:process.env.MASTER_KEY == ""', /Unknown variable: process/],
    ['an unknown function', 'cel:fetch("http://127.0.0.1/")', /not valid/],
    ['types that never compare', 'cel:"1" == 1', /not valid/],
    ['a number', 'cel:1', /must answer true or false, but answers int/],
    ['a text', 'cel:"true"', /must answer true or false, but answers string/],
    ['a list', 'cel:[true]', /must answer true or false, but answers list/],
    ['the event itself', 'cel:event', /must answer true or false, but answers map/],
    ['null', 'cel:null', /must answer true or false, but answers null/],
    ['brackets too deep', `cel:${'('.repeat(24)}true${')'.repeat(24)}`, /maxDepth/],
    ['brackets never closed', `cel:${'['.repeat(1_000)}`, /maxDepth/],
    ['too many parts', `cel:${'!'.repeat(1_000)}true`, /maxAstNodes/],
    ['a list too long', `cel:1 in [${'1,'.repeat(64)}1]`, /maxListElements/],
  ])('%s', (_name, filter, why) => {
    expect(refusal(filter)).toMatch(why)
  })

  test('say why in one line', () => {
    expect(refusal('cel:data.a ==\n\n1 +')).not.toContain('\n')
  })
})

test('the limit counts bytes', () => {
  expect(refusal('é'.repeat(512))).toBeUndefined()
  expect(refusal(`${'é'.repeat(512)}1`)).toBe('The filter is longer than 1024 bytes.')
  expect(refusal(`cel:data.a == "${'a'.repeat(1_008)}"`)).toBeUndefined()
  expect(refusal(`cel:data.a == "${'a'.repeat(1_009)}"`)).toBe('The filter is longer than 1024 bytes.')
})

test('any text is accepted or refused as a filter, and soon', () => {
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
      refusal(text)
      slowestMs = Math.max(slowestMs, threadMs() - started)
    }),
    { numRuns: 2_000 },
  )
  expect(slowestMs).toBeLessThan(500)
})

describe('a warning', () => {
  test.each(['dlr', 'voice_status', 'tracking'] as const)('is given for values with %s', (type) => {
    expect(filterWarning('49123', type)).toBe(
      `Events of type ${type} have no inbound number: this filter never matches.`,
    )
    expect(filterWarning('cel:data.status == "FAILED"', type)).toBeUndefined()
    expect(filterWarning(null, type)).toBeUndefined()
  })

  test.each(['all', 'rcs', 'sms_mo', 'voice_call', 'voice_dtmf'] as const)('is not given with %s', (type) => {
    expect(filterWarning('49123', type)).toBeUndefined()
  })
})

/** What this thread has computed so far: on a busy machine the clock on the wall says more. */
function threadMs(): number {
  return process.threadCpuUsage().user / 1_000
}
