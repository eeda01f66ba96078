/** Tests the definitions of operators: valid ones, and hostile schemas that must not reach a process. */
import { expect, test } from 'vitest'
import { parseDefinition } from './definition.ts'

const valid = {
  name: 'order.shipped',
  label: 'Order shipped',
  schema: {
    type: 'object',
    required: ['order_id'],
    properties: { order_id: { type: 'string', maxLength: 40 }, customer: { $ref: '#/$defs/customer' } },
    $defs: { customer: { type: 'object', properties: { name: { type: 'string' } } } },
  },
  sample: { order_id: 'A-1', customer: { name: 'Ada' } },
}

function parse(changes: object): ReturnType<typeof parseDefinition> {
  return parseDefinition(JSON.stringify({ ...valid, ...changes }))
}

test('a definition has defaults for everything optional', () => {
  expect(parse({})).toEqual({
    ...valid,
    description: '',
    public_fields: [],
    filter_field: null,
    time_sensitive: false,
  })
})

const nested = (depth: number): object => (depth === 0 ? {} : { not: nested(depth - 1) })

/** Each definition uses the next twice, so 30 of them are a billion checks. */
const doubling = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [
    `d${index}`,
    index === 29 ? {} : { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
  ]),
)

test.each<[string, object, RegExp]>([
  ['a name of other characters', { name: 'Order' }, /^"name" must have 1 to 40 of a-z/],
  ['a name that is too long', { name: 'a'.repeat(41) }, /^"name" must have 1 to 40/],
  ['a built-in name', { name: 'sms_mo' }, /^"sms_mo" is a built-in name/],
  ['an older name', { name: 'rcs_mo' }, /^"rcs_mo" is a built-in name/],
  ['the name of an account event', { name: 'webhook.failing' }, /^"webhook.failing" is a built-in name/],
  ['the name all', { name: 'all' }, /^"all" is a built-in name/],
  ['no label', { label: ' ' }, /^"label" must have at least 1 characters/],
  ['an unknown field', { secret: true }, /^The file has the unknown field "secret"/],
  [
    'a sample that does not match',
    { sample: {} },
    /^The sample does not match the schema: "data.order_id" is missing\.$/,
  ],
  [
    'a large sample',
    { sample: { order_id: 'x', text: 'x'.repeat(20_000) } },
    /^The sample has more than 16384 bytes/,
  ],
  [
    'a large schema',
    { schema: { description: 'x'.repeat(70_000) } },
    /^The schema has more than 65536 bytes/,
  ],
  ['a large file', { sample: { text: 'x'.repeat(200_000) } }, /^The file has more than 131072 bytes/],
  ['deep nesting', { schema: nested(40) }, /^The file is nested deeper than 32 levels/],
  [
    'many checks',
    { schema: { enum: Array.from({ length: 5_000 }, (_, index) => index) } },
    /^The schema has more than 1000 checks/,
  ],
  [
    'checks multiplied by references',
    { schema: { $ref: '#/$defs/d0', $defs: doubling } },
    /^The schema has more than 1000 checks/,
  ],
  [
    'recursion',
    { schema: { $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/a' } } } } },
    /refers to itself/,
  ],
  [
    'a remote reference',
    { schema: { $ref: 'https://example.com/schema.json' } },
    /must be of the form #\/\$defs\/name\. Schemas elsewhere are never loaded\.$/,
  ],
  ['a reference to a file', { schema: { $ref: 'file:///etc/passwd' } }, /Schemas elsewhere are never loaded/],
  ['a reference to the whole schema', { schema: { items: { $ref: '#' } } }, /must be of the form/],
  [
    'a reference to nothing',
    { schema: { $ref: '#/$defs/constructor', $defs: {} } },
    /has no #\/\$defs\/constructor/,
  ],
  [
    'a regular expression',
    { schema: { properties: { order_id: { pattern: '^(a+)+$' } } } },
    /uses "pattern" at #\/properties, which is not supported\. A regular expression can take hours/,
  ],
  [
    'regular expressions for names',
    { schema: { patternProperties: { '^(a+)+$': {} } } },
    /uses "patternProperties"/,
  ],
  [
    'unique items',
    { schema: { items: { uniqueItems: true } } },
    /uses "uniqueItems" .* grows with the square/,
  ],
  ['an id, which redirects references', { schema: { $id: 'https://example.com/' } }, /uses "\$id"/],
  ['a keyword of the prototype', { schema: { constructor: {} } }, /uses "constructor"/],
  ['a type that does not exist', { schema: { type: 'text' } }, /^Invalid schema: /],
  ['a schema that is a list', { schema: [] }, /^"schema" /],
])('%s is rejected', (_name, changes, message) => {
  expect(() => parse(changes)).toThrow(message)
})

test('text that is not JSON is rejected', () => {
  expect(() => parseDefinition('{')).toThrow('The file is not valid JSON.')
  expect(() => parseDefinition('['.repeat(60_000) + ']'.repeat(60_000))).toThrow(/nested deeper/)
})

test('a format is only an annotation', () => {
  const schema = { properties: { at: { type: 'string', format: 'email' } } }
  expect(parse({ schema, sample: { at: 'not an email' } }).schema).toEqual(schema)
})

test('a required name of the prototype is not a field', () => {
  expect(() => parse({ schema: { required: ['constructor'] }, sample: {} })).toThrow(
    /"data.constructor" is missing/,
  )
})
