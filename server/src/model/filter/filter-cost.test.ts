/** Tests the cost of filters. Units are exact and the same everywhere. CPU time has a tolerance for busy machines. */
import { builtInTraits } from '../event-traits.ts'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../errors.ts'
import { compileFilter, type FilterResult, filterInput, validateFilter, runFilter } from './event-filter.ts'
import { maxEventUnits, maxFilterUnits, minFilterUnits, unitsPerFilter } from './budget.ts'

const maxBytes = 1_024
/** The target is 5 ms on a dedicated machine. */
const maxCpuMs = 25

function inputOf(data: string | object) {
  const event = {
    id: '01938d5e-7c00-7000-8000-000000000001',
    accountId: 1,
    type: 'sms_mo',
    data: typeof data === 'string' ? data : JSON.stringify(data),
    acceptedAt: new Date('2026-11-15T09:30:00Z'),
  }
  return filterInput(event, builtInTraits.sms_mo)
}

function run(filter: string, data: string | object, maxUnits = maxFilterUnits): FilterResult {
  validateFilter(filter, maxBytes)
  return runFilter(compileFilter(filter), inputOf(data), maxUnits)
}

function rejection(filter: string): string | undefined {
  try {
    validateFilter(filter, maxBytes)
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}

describe('an ordinary filter', () => {
  const message = { system: '491701', text: 'STOP now', parts: ['a', 'b'], count: 3, is_test: true }
  test.each([
    ['491701', 100],
    ['cel:true', 200],
    ['cel:data.system == "491701"', 359.5],
    ['cel:event.type == "sms_mo" && data.text.startsWith("STOP")', 612.5],
    ['cel:data.text.contains("now")', 587],
    ['cel:has(data.parts) && size(data.parts) == 2', 610],
    ['cel:data.parts.exists(part, part == "b")', 643],
    ['cel:data.count > 2', 432.5],
    ['cel:data.system in ["1", "491701"]', 444.5],
  ])('%s costs %d units', (filter, units) => {
    expect(run(filter, message)).toEqual({ matches: true, units })
  })
})

const longText = 'a'.repeat(120_000)
const squared = (times: number): string =>
  times === 0 ? 's == ""' : `cel.bind(s, s.split("").join(s), ${squared(times - 1)})`
const manyKeys = JSON.stringify({
  map: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1])),
})

describe('a filter with unbounded time or memory stops at its budget', () => {
  test.each<[string, string, string | object]>([
    ['a string squared six times', `cel:cel.bind(s, data.text, ${squared(6)})`, { text: 'abcdefghij' }],
    ['a string squared once', 'cel:data.text.split("").join(data.text) == ""', { text: longText }],
    [
      'a long string as a list separator',
      'cel:data.texts.join(data.text) == ""',
      { texts: Array(2_000).fill('a'), text: longText },
    ],
    [
      'words searched for in a string of 120 KB',
      'cel:data.text.split(" ").exists(x, data.text.contains(x + x + x))',
      { text: `${'a'.repeat(39_999)} `.repeat(3) },
    ],
    [
      'a string doubled repeatedly',
      `cel:cel.bind(s, data.text, ${'cel.bind(s, s + s, '.repeat(8)}s == ""${')'.repeat(9)}`,
      { text: longText },
    ],
    [
      'the last index in a string',
      'cel:data.text.lastIndexOf(data.other) == 1',
      { text: longText, other: `${'a'.repeat(60_000)}b` },
    ],
    [
      'a loop in which every element fails',
      'cel:data.list.exists(x, x.a == 1)',
      { list: Array(60_000).fill(1) },
    ],
    [
      'concatenated lists',
      'cel:data.list + data.list + data.list + data.list + data.list == data.list',
      { list: Array(60_000).fill(1) },
    ],
    [
      'decimals concatenated with strings',
      'cel:data.texts.exists(x, (data.texts + data.list) == [x])',
      { texts: Array(50).fill('a'), list: Array.from({ length: 2_000 }, (_, at) => at + 0.123) },
    ],
    [
      'lists in a list',
      'cel:data.list.map(x, data.list) == data.list',
      { list: Array.from({ length: 60_000 }, () => []) },
    ],
    [
      'every element searched for in the list',
      'cel:data.list.all(x, x in data.list)',
      { list: Array.from({ length: 5_000 }, (_, at) => at) },
    ],
    ['a loop over the keys of a map', 'cel:data.map.exists(x, x == "")', manyKeys],
    [
      'a string split at each of its words',
      'cel:data.text.split("ab").join() == ""',
      { text: 'ab '.repeat(13_650) },
    ],
    [
      'a loop over invalid JSON',
      'cel:data.list.all(x, !("" in bytes("").json()))',
      { list: Array(60_000).fill(1) },
    ],
    [
      'strings that are almost durations',
      'cel:data.list.exists(x, duration(x) == duration("0s"))',
      { list: Array(400).fill(`${'1111s'.repeat(12)}111x`) },
    ],
    [
      'a character whose byte is part of every other one',
      `cel:cel.bind(t, data.text, ${Array(15).fill('t.contains("\u6100")').join(' || ')})`,
      { text: `${'a'.repeat(200_000)}\u0100` },
    ],
    [
      'numbers with many digits as keys',
      'cel:cel.bind(m, data.map, data.list.exists(x, x in m))',
      { map: {}, list: Array.from({ length: 5_000 }, (_, at) => 1e-300 / 3 + at * 1.1e-304) },
    ],
    [
      'JSON in a string',
      'cel:bytes(data.text).json().a == 1',
      { text: JSON.stringify(Array.from({ length: 2_000 }, (_, at) => ({ [at]: {} }))) },
    ],
    [
      'letters that uppercase to several letters',
      'cel:data.text.upperAscii() == ""',
      { text: 'ß'.repeat(60_000) },
    ],
    [
      'hours in time zones with unlisted names',
      `cel:${'event.accepted_at.getHours("europe/berlin") == 25 || '.repeat(8)}false`,
      {},
    ],
  ])('%s', (_name, filter, data) => {
    const compiled = compileFilter(filter)
    const input = inputOf(data)
    expect(Buffer.byteLength(filter)).toBeLessThanOrEqual(maxBytes)
    const before = process.threadCpuUsage()
    for (let time = 0; time < 10; time++)
      expect(runFilter(compiled, input, maxFilterUnits)).toEqual({
        matches: false,
        why: 'too_expensive',
        units: maxFilterUnits + 1,
      })
    expect(process.threadCpuUsage(before).user / 1_000 / 10).toBeLessThan(maxCpuMs)
  })

  test.each<[string, string, string | object]>([
    [
      'a duration of 60,000 digits',
      'cel:duration(data.text) == duration("1s")',
      { text: '1'.repeat(60_000) },
    ],
    [
      'a list 60,000 levels deep',
      'cel:data.list == [1]',
      `{"list":${'['.repeat(60_000)}${']'.repeat(60_000)}}`,
    ],
    [
      'two such lists',
      'cel:data.list == data.other',
      `{"list":${'['.repeat(60_000)}${']'.repeat(60_000)},"other":${'['.repeat(60_000)}${']'.repeat(60_000)}}`,
    ],
    ['a number of 120,000 spaces', '491701', { system: ' '.repeat(120_000) }],
    ['a missing key of 120 KB', 'cel:data.map[data.text] == 1', { map: {}, text: longText }],
    [
      'a search in 80 KB',
      'cel:data.text.contains(data.other)',
      { text: 'a'.repeat(80_000), other: `${'a'.repeat(60)}b` },
    ],
  ])('%s stays within the budget', (_name, filter, data) => {
    validateFilter(filter, maxBytes)
    const compiled = compileFilter(filter)
    const input = inputOf(data)
    const before = process.threadCpuUsage()
    for (let time = 0; time < 10; time++) {
      const result = runFilter(compiled, input, maxFilterUnits)
      expect(result.matches).toBe(false)
      expect(result).not.toMatchObject({ why: 'too_expensive' })
      expect(result.units).toBeLessThanOrEqual(maxFilterUnits)
    }
    expect(process.threadCpuUsage(before).user / 1_000 / 10).toBeLessThan(maxCpuMs)
  })
})

test('an exhausted budget is not an error that || and exists() ignore', () => {
  const list = Array(60_000).fill(1)
  expect(run('cel:data.list.exists(x, x.a == 1) || true', { list })).toMatchObject({ why: 'too_expensive' })
  expect(run('cel:true || data.list.exists(x, x.a == 1)', { list })).toMatchObject({ matches: true })
})

function unknownNames(at: number): string {
  return Array.from({ length: 70 }, (_, index) => `f${at}x${index}()`).join('||')
}

function checkUnknownNames(from: number): void {
  for (let at = from; at < from + 600; at++)
    expect(rejection(`cel:${unknownNames(at)}`)).toMatch(/Invalid filter expression/)
}

describe('when a filter is saved', () => {
  test('a filter that is too expensive on every event is rejected', () => {
    const constant = `"${'a'.repeat(100)}"`
    expect(rejection(`cel:cel.bind(s, ${constant}, ${squared(3)})`)).toMatch(
      /^The filter is too expensive on every event: it costs more than 1,000,000 units\./,
    )
    expect(rejection(`cel:data.is_test && cel.bind(s, ${constant}, ${squared(3)})`)).toBeUndefined()
    expect(
      rejection(`cel:[1, 2].exists(x, data.a == x || cel.bind(s, ${constant}, ${squared(3)}))`),
    ).toBeUndefined()
    expect(rejection(`cel:cel.bind(s, data.text, ${squared(6)})`)).toBeUndefined()
  })

  test.each([
    ['matches()', 'cel:data.text.matches("(a+)+b")', /uses matches\(\), which cannot be bounded/],
    [
      'a loop inside a loop',
      'cel:data.list.exists(x, data.list.exists(y, x == y))',
      /loop inside a loop: exists/,
    ],
    ['lists with three layers', 'cel:[[[1]]] == [[[2]]]', /deeper than 2 levels/],
    ['layers created by loops', 'cel:[1].map(a, [a]).map(b, [b]) == []', /deeper than 2 levels/],
    [
      'layers created by variables',
      'cel:cel.bind(a, [1], cel.bind(b, [a], cel.bind(c, [b], c == c)))',
      /deeper than 2 levels/,
    ],
    ['names reserved by the language', 'cel:google.protobuf == cel', /not supported|Invalid/],
  ])('%s is rejected', (_name, filter, reason) => {
    expect(rejection(filter)).toMatch(reason)
  })

  test('unknown names leave nothing in memory', () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    checkUnknownNames(0)
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    checkUnknownNames(10_000)
    checkUnknownNames(20_000)
    collectGarbage()
    expect((process.memoryUsage().heapUsed - before) / 1_000_000).toBeLessThan(12)
  })
})

test('expressions share the budget of an event, and each gets enough for a short message', () => {
  expect([0, 1, 5, 10, 100, 500, 10_000].map(unitsPerFilter)).toEqual([
    maxFilterUnits,
    maxFilterUnits,
    maxFilterUnits,
    maxEventUnits / 10,
    maxEventUnits / 100,
    minFilterUnits,
    minFilterUnits,
  ])
  expect(
    run('cel:data.text.contains("unsubscribe")', { text: 'x'.repeat(4_000) }, minFilterUnits),
  ).toMatchObject({
    matches: false,
    why: 'filter',
  })
  const officeHours = ['>= 8', '< 18'].map((bound) => `event.accepted_at.getHours("Europe/Berlin") ${bound}`)
  expect(run(`cel:${officeHours.join(' && ')}`, {}, minFilterUnits)).toMatchObject({ matches: true })
})
