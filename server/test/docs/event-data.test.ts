/** Checks the table of event data in the documentation and the published schemas against literals. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Schema {
  properties?: Record<string, Schema>
  anyOf?: Schema[]
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  examples?: unknown[]
}

interface OpenApi {
  webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: Schema } } } } }>
  components: { schemas: Record<string, Schema> }
}

const number = 'number'
const string = 'string'
const nullable = 'string or null'

/** The types that existing receivers rely on. */
const expected: Record<string, Record<string, string>> = {
  sms_mo: { id: string, sender: string, system: string, text: string, time: string, message_type: string },
  wa_mo: { id: string, sender: string, system: string, time: string },
  dlr: { msg_id: string, status: string, timestamp: string, foreign_id: nullable },
  voice_call: { id: number, caller: string, system: string, time: number },
  voice_status: {
    id: string,
    callerId: string,
    recipient: string,
    duration: string,
    pricePerMinute: number,
    status: string,
    timestamp: number,
  },
  voice_dtmf: {
    id: number,
    callerId: string,
    recipient: string,
    system: string,
    dtmf_digit: number,
    duration: number,
    pricePerMinute: number,
    total_price: number,
    status: string,
    timestamp: number,
  },
  tracking: {
    type: string,
    sms_id: string,
    sms_label: nullable,
    tracking_url: string,
    final_url: string,
    total_clicks: number,
    total_views: number,
  },
  'rcs status': {
    agent_id: string,
    sender: string,
    msg_id: string,
    status: string,
    foreign_id: nullable,
    timestamp: string,
  },
  'rcs message': {
    id: number,
    agent_id: string,
    sender: string,
    time: number,
    message_type: string,
    foreign_id: string,
    content_type: string,
    text: string,
  },
}

const openApi: OpenApi = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))

/** Returns the schema of `data`. The first of several RCS messages is a text. */
function publishedSchema(name: string): Schema {
  const [type = '', part] = name.split(' ')
  const payload = openApi.webhooks[type]?.post.requestBody.content['application/json'].schema
  const data = openApi.components.schemas[payload?.properties?.data?.$ref?.split('/').at(-1) ?? ''] ?? {}
  return part === undefined ? data : (data.anyOf?.[part === 'status' ? 0 : 1] ?? {})
}

function typeName({ type, const: constant, enum: values }: Schema): string {
  if (constant !== undefined) return typeof constant
  if (values !== undefined) return typeof values[0]
  return type === 'integer' ? 'number' : [type].flat().join(' or ')
}

function documentedTypes(name: string): Record<string, string> {
  const page = readFileSync('docs/delivery.md', 'utf8')
  const section = page.split('## Event data')[1]?.split('\n## ')[0] ?? ''
  const label = name.replace(/^\w+/, '`$&`')
  const row = section.split('\n').find((line) => line.startsWith(`| ${label} `)) ?? ''
  const fields = row.matchAll(/`(\w+)` (number|string(?: or null)?)/g)
  return Object.fromEntries([...fields].map(([, field = '', type = '']) => [field, type]))
}

test.each(Object.keys(expected))('%s', (name) => {
  const properties = Object.entries(publishedSchema(name).properties ?? {})
  expect(Object.fromEntries(properties.map(([field, schema]) => [field, typeName(schema)]))).toEqual(
    expected[name],
  )
  expect(documentedTypes(name)).toEqual(expected[name])
})

test('every type has an example', () => {
  expect(Object.keys(openApi.webhooks).toSorted()).toEqual([
    'dlr',
    'rcs',
    'sms_mo',
    'tracking',
    'voice_call',
    'voice_dtmf',
    'voice_status',
    'wa_mo',
  ])
  for (const type of Object.keys(openApi.webhooks))
    expect(publishedSchema(type).examples?.length, type).toBeGreaterThan(0)
})
