import { expect, test } from 'vitest'
import { createIdEndings, isEventId, minEventId } from './event-id.ts'

const time = minEventId(new Date('2026-01-02T03:04:05.678Z')).slice(0, 14)

test('ids have the version and the variant of RFC 9562', () => {
  for (const start of [0, 0x3ffff, 2 ** 29, 2 ** 30 - 2])
    for (const ending of createIdEndings(start)(2)) {
      expect(isEventId(time + ending)).toBe(true)
      expect(time + ending).toMatch(/^019b7ca9-8f2e-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    }
})

test('the ids of one call sort in the order of its events, across every part of the counter', () => {
  for (const start of [0, 0xf - 5, 0x3ffff - 5, 0xfff_ffff - 5, 2 ** 29]) {
    const endings = createIdEndings(start)(5_000)
    expect(endings).toEqual(endings.toSorted())
    expect(new Set(endings).size).toBe(5_000)
  }
})

test('a call during which the counter would start again gets ids from after the restart only', () => {
  const take = createIdEndings(2 ** 30 - 10)
  const [last] = take(1)
  const endings = take(100)
  expect(endings).toEqual(endings.toSorted())
  expect((endings[0] ?? '') < (last ?? '')).toBe(true)
})

test('ids with the same counter differ', () => {
  expect(createIdEndings(1)(1)).not.toEqual(createIdEndings(1)(1))
})
