import { expect, test } from 'vitest'
import { readVariants } from './schema-fields.ts'

test('fields have their type, values and description, nested ones a path', () => {
  const [variant] = readVariants({
    required: ['id'],
    properties: {
      id: { type: 'integer', description: 'Number of the order.' },
      note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      state: { enum: ['paid', 'open'] },
      lines: { type: 'array', items: { type: 'object', properties: { sku: { type: ['string', 'null'] } } } },
      ship: { $ref: '#/$defs/place' },
    },
    additionalProperties: false,
    $defs: { place: { type: 'object', properties: { city: { type: 'string' } } } },
  })
  expect(variant?.isOpen).toBe(false)
  expect(variant?.fields.map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
    ['id', 'integer', true],
    ['note', 'string or null', false],
    ['state', 'string', false],
    ['lines', 'array', false],
    ['lines[].sku', 'string or null', false],
    ['ship', 'object', false],
    ['ship.city', 'string', false],
  ])
  expect(variant?.fields[0]?.description).toBe('Number of the order.')
  expect(variant?.fields[2]?.values).toEqual(['paid', 'open'])
})

test('variants are named by their fixed fields and match their samples', () => {
  const variants = readVariants({
    anyOf: [
      { properties: { status: { type: 'string' } }, required: ['status'] },
      { properties: { kind: { const: 'text' }, text: { type: 'string' } }, required: ['kind', 'text'] },
    ],
  })
  expect(variants.map(({ title }) => title)).toEqual(['With status', 'text'])
  const samples = [{ status: 'READ' }, { kind: 'text', text: 'Hello' }, { kind: 'file', text: 'Hello' }]
  expect(variants.map(({ matches }) => samples.map((sample) => matches(sample)))).toEqual([
    [true, false, false],
    [false, true, false],
  ])
})

test('a schema that refers to itself ends, and fields are limited', () => {
  const loop = { type: 'object', properties: { next: { $ref: '#/$defs/loop' } } }
  expect(readVariants({ $ref: '#/$defs/loop', $defs: { loop } })[0]?.fields).toHaveLength(9)
  const names = Array.from({ length: 1_000 }, (_, index) => [`f${index}`, { type: 'string' }])
  expect(readVariants({ properties: Object.fromEntries(names) })[0]?.fields).toHaveLength(300)
})
