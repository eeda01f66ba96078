/**
 * The `webhooks` of the OpenAPI document: the requests that receivers get, for each built-in event type and request
 * method. The examples come from the code that sends deliveries.
 */
import { previewRequests } from '../delivery/request/preview-requests.ts'
import { defaultOptions, type RequestOptions } from '../model/delivery-options.ts'
import { type DeliverableType, deliverableTypes } from '../model/event.ts'
import { payloadSchemas } from '../model/event-payloads.ts'
import type { RequestMethod } from '../model/hook.ts'
import { samples } from '../model/sample-events.ts'

type JsonSchema = Record<string, unknown>

/** Fixed, so that the document is the same each time. */
const sampleTime = Date.UTC(2026, 10, 15, 9, 30)
const exampleUrl = 'https://example.com/webhook'

const headers: Record<string, { description: string; isOptional?: true }> = {
  'webhook-id': {
    description:
      'Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates.',
  },
  'webhook-timestamp': { description: 'Time of this attempt in Unix seconds.' },
  'webhook-signature': {
    description:
      '`v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation.',
  },
  'x-hookline-hook': { description: 'Id of the webhook.' },
  'x-hookline-attempt': { description: 'Number of the attempt, from 1.' },
  'x-hookline-replay': { description: 'Only in a replay: 1 for the first replay, then 2.', isOptional: true },
  'x-hookline-test': { description: '`1` on a test event.', isOptional: true },
  traceparent: {
    description:
      'With the option `trace_header`: the trace of the event, in the format of W3C Trace Context.',
    isOptional: true,
  },
  'x-signature': {
    description:
      'The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds.',
  },
  'x-timestamp': { description: 'Time in the older signature, in Unix seconds.' },
  'x-nonce': { description: 'Random text in the older signature.' },
  'x-hookline-next-signature': {
    description: 'During a rotation of the signing key: the older signature with the next key.',
    isOptional: true,
  },
}

/** The headers of every request, for `components.parameters`. */
export const webhookHeaders = Object.fromEntries(
  Object.entries(headers).map(([name, { description, isOptional = false }]) => [
    name,
    { name, in: 'header', required: !isOptional, description, schema: { type: 'string' } },
  ]),
)

const headerReferences = Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` }))
const responses = { '2XX': { description: 'Received. Any other status is a failure and is retried.' } }

/** Returns a path item per type and adds the schemas of `data`. */
export function describeWebhooks(
  schemas: Record<string, JsonSchema>,
  toJsonSchema: (schema: (typeof payloadSchemas)[DeliverableType]) => JsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    deliverableTypes.map((type) => {
      const name = `${type}_data`
      schemas[name] = { ...toJsonSchema(payloadSchemas[type]), examples: samples[type] }
      return [type, { post: describePost(type, name), get: describeGet(type, name) }]
    }),
  )
}

function standardFields(type: DeliverableType): Record<string, JsonSchema> {
  return { webhook_event: { const: type }, webhook_timestamp: { type: 'string', format: 'date-time' } }
}

function describePost(type: DeliverableType, dataSchema: string): JsonSchema {
  const schema = {
    type: 'object',
    required: ['data', 'webhook_event', 'webhook_timestamp'],
    properties: { data: { $ref: `#/components/schemas/${dataSchema}` }, ...standardFields(type) },
  }
  return {
    summary: `An event of type ${type}`,
    description:
      'Sent to webhooks of this type or `all`, with the request method `JSON` or `POST`. Any 2xx response confirms the delivery.',
    parameters: headerReferences,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema,
          examples: Object.fromEntries(
            samples[type].map((_, index) => [
              `sample${index + 1}`,
              { value: JSON.parse(sampleRequest(type, 'JSON', index).body) },
            ]),
          ),
        },
        'application/x-www-form-urlencoded': {
          schema,
          encoding: { data: { style: 'deepObject', explode: true } },
          examples: {
            nested: { summary: 'Fields in brackets', value: sampleRequest(type, 'POST', 0).body },
            flat: {
              summary: 'With the option `form_fields: flat`',
              value: sampleRequest(type, 'POST', 0, 'flat').body,
            },
          },
        },
      },
    },
    responses,
  }
}

function describeGet(type: DeliverableType, dataSchema: string): JsonSchema {
  const query = sampleRequest(type, 'GET', 0).url.slice(exampleUrl.length)
  return {
    summary: `An event of type ${type}, with GET`,
    description: `Sent to webhooks with the request method \`GET\`. The fields of \`data\` are in the query: \`${query}\``,
    parameters: [
      {
        name: 'data',
        in: 'query',
        required: true,
        style: 'form',
        explode: true,
        description: 'Each field of the data is a parameter of its own.',
        schema: { $ref: `#/components/schemas/${dataSchema}` },
      },
      ...Object.entries(standardFields(type)).map(([name, schema]) => ({
        name,
        in: 'query',
        required: true,
        schema,
      })),
      ...headerReferences,
    ],
    responses,
  }
}

function sampleRequest(
  type: DeliverableType,
  method: RequestMethod,
  index: number,
  formFields: RequestOptions['formFields'] = 'nested',
): { url: string; body: string } {
  const sample = samples[type][index] ?? {}
  const hook = {
    hookId: 1,
    accountId: 1,
    targetUrl: exampleUrl,
    callUrl: exampleUrl,
    headers: '',
    type,
    sample,
  }
  const request = previewRequests({ ...defaultOptions, ...hook, formFields }, sampleTime)[method]
  if (request === null) throw new Error(`The sample of ${type} is too large for ${method}.`)
  return request
}
