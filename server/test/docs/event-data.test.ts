/** Checks the table of event data in the documentation and the published schemas against literals. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { previewRequests } from '../../src/delivery/request/preview-requests.ts'
import { defaultOptions } from '../../src/model/delivery-options.ts'
import { createValidator } from '../../src/model/event-type/validator.ts'

interface Schema {
  properties?: Record<string, Schema>
  anyOf?: Schema[]
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  examples?: unknown[]
}

type Examples<Value> = Record<string, { value: Value }>

interface OpenApi {
  webhooks: Record<
    string,
    {
      post: {
        parameters: Array<{ $ref: string }>
        requestBody: {
          content: {
            'application/json': { schema: Schema; examples: Examples<Record<string, unknown>> }
            'application/x-www-form-urlencoded': { examples: Examples<string> }
          }
        }
      }
      get: { description: string; parameters: Array<{ $ref?: string; name?: string }> }
    }
  >
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, { name: string; required: boolean }>
  }
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

/** Returns the names of the fields of `data` in a form or query. */
function names(text = ''): string[] {
  return [...new URLSearchParams(text).keys()].filter((name) => !name.startsWith('webhook_'))
}

test.each(Object.keys(openApi.webhooks))('the requests of %s in the API reference are valid', (type) => {
  const { post, get } = openApi.webhooks[type] ?? {}
  const { 'application/json': json, 'application/x-www-form-urlencoded': form } =
    post?.requestBody.content ?? {}
  const validate = createValidator({ ...json?.schema, components: openApi.components })
  const bodies = Object.values(json?.examples ?? {}).map(({ value }) => value)
  expect(bodies.length).toBeGreaterThan(0)
  for (const body of bodies) expect(validate(body)).toBeUndefined()
  expect(validate({ ...bodies[0], webhook_event: 'other' })).toContain('webhook_event')

  const [data = {}] = bodies.map((body) => body.data as object)
  const fields = Object.keys(data)
  expect(names(form?.examples.nested?.value)).toEqual(fields.map((name) => `data[${name}]`))
  expect(names(form?.examples.flat?.value)).toEqual(fields)
  expect(names(/`\?(.+)`/.exec(get?.description ?? '')?.[1])).toEqual(fields)
})

test('the API reference has the headers of a request', () => {
  const url = 'https://example.com/'
  const hook = {
    hookId: 1,
    accountId: 1,
    targetUrl: url,
    callUrl: url,
    headers: '',
    type: 'sms_mo',
    sample: {},
  }
  const sent = previewRequests({ ...defaultOptions, ...hook }, 0).JSON?.headers.map(({ name }) => name) ?? []
  const own = sent.filter((name) => !['user-agent', 'content-type'].includes(name))
  const headers = Object.values(openApi.components.parameters)
  expect(headers.flatMap(({ name, required }) => (required ? [name] : [])).toSorted()).toEqual(own.toSorted())
  for (const { post, get } of Object.values(openApi.webhooks))
    for (const { parameters } of [post, get])
      expect(parameters.flatMap(({ $ref }) => $ref ?? [])).toEqual(
        headers.map(({ name }) => `#/components/parameters/${name}`),
      )
})
