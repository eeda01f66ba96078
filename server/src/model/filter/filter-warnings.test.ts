/** Tests which valid filters get a warning because they probably do not match what the user means. */
import { describe, expect, test } from 'vitest'
import { builtInCatalog } from '../event-type/catalog.ts'
import { filterWarnings } from './filter-warnings.ts'

function warningsOf(filter: string | null, eventType: string) {
  return filterWarnings(filter, eventType, builtInCatalog).map(({ code, message }) => ({ code, message }))
}

function codesOf(filter: string | null, eventType: string) {
  return warningsOf(filter, eventType).map(({ code }) => code)
}

describe('plain values', () => {
  test.each(['dlr', 'voice_status', 'tracking'])('never match events of type %s', (type) => {
    expect(warningsOf('49123', type)).toEqual([
      {
        code: 'filter_never_matches',
        message: `Events of type ${type} have no inbound number: this filter never matches.`,
      },
    ])
    expect(codesOf('cel:event.type == "dlr"', type)).toEqual([])
    expect(codesOf(null, type)).toEqual([])
  })

  test.each(['all', 'rcs', 'rcs_mo', 'rcs_dlr', 'sms_mo', 'voice_call', 'voice_dtmf', 'wa_mo'])(
    'can match events of type %s',
    (type) => {
      expect(codesOf('49123', type)).toEqual([])
    },
  )

  test.each([
    'data.system == "49123"',
    'data.text.startsWith("STOP")',
    'event.type != "dlr" && true',
    'has(data.foreign_id)',
    ' size(data.text) > 5',
  ])('%s looks like an expression without its prefix', (filter) => {
    expect(warningsOf(filter, 'sms_mo')).toEqual([
      {
        code: 'filter_without_prefix',
        message:
          'The filter looks like an expression, but is compared with numbers as text. Start it with "cel:" to evaluate it.',
      },
    ])
  })

  test('at most 5 values get a warning, and the others cost nothing', () => {
    const filter = 'a,'.repeat(61_000)
    const startedAt = performance.now()
    for (let call = 0; call < 100; call++) expect(warningsOf(filter, 'sms_mo')).toHaveLength(5)
    // Warnings for all values would take several times as long.
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })

  test('a value that is not a number gets a warning where events have a number', () => {
    expect(warningsOf('49123, hello there', 'sms_mo')).toEqual([
      {
        code: 'filter_not_a_number',
        message:
          '“hello there” is not a number. It matches only events with exactly this text as their inbound number.',
      },
    ])
    expect(codesOf('+49 123, 0049 5', 'sms_mo')).toEqual([])
    expect(codesOf('agent-one', 'rcs')).toEqual([])
    expect(codesOf('agent-one', 'all')).toEqual([])
  })
})

describe('an expression', () => {
  test('that reads a field which sample events do not have gets a warning with its position', () => {
    const filter = 'cel:data.foo == "1" && event.kind == "x"'
    const warnings = filterWarnings(filter, 'sms_mo', builtInCatalog)
    expect(
      warnings.map(({ message, position }) => [
        message,
        position && filter.slice(position.index, position.index + position.length),
      ]),
    ).toEqual([
      ['Sample events of type sms_mo have no field data.foo.', 'data.foo'],
      ['Events have no field event.kind. Use event.id, event.type or event.accepted_at.', 'event.kind'],
    ])
    expect(warnings.map(({ code }) => code)).toEqual(['filter_unknown_field', 'filter_unknown_field'])
  })

  test('that compares text with a number gets a warning', () => {
    expect(warningsOf('cel:data.system == 49123', 'sms_mo')).toEqual([
      {
        code: 'filter_type_mismatch',
        message: 'In sample events data.system is text, but the filter compares it with a number.',
      },
    ])
    expect(codesOf('cel:5 < data.text', 'sms_mo')).toEqual(['filter_type_mismatch'])
    expect(codesOf('cel:data.time == "1"', 'voice_call')).toEqual(['filter_type_mismatch'])
    expect(codesOf('cel:event.type == 5', 'all')).toEqual(['filter_type_mismatch'])
    expect(codesOf('cel:data.system in [1, 2]', 'sms_mo')).toEqual(['filter_type_mismatch'])
  })

  test.each([
    ['cel:data.system == "49123"', 'sms_mo'],
    ['cel:has(data.foo) && data.foo == "1"', 'sms_mo'],
    ['cel:data.foo == 1', 'all'],
    ['cel:data.system == dyn(data.text)', 'sms_mo'],
    ['cel:size(data.text) == 5', 'sms_mo'],
    ['cel:data.content_type == "text" || true', 'rcs_mo'],
    ['cel:broken ==', 'sms_mo'],
  ])('%s of type %s gets none', (filter, type) => {
    expect(codesOf(filter, type)).toEqual([])
  })

  test('gets at most five warnings', () => {
    const filter = `cel:${Array.from({ length: 20 }, (_, n) => `data.f${n} == "1"`).join(' && ')}`
    expect(codesOf(filter, 'sms_mo')).toHaveLength(5)
  })
})
