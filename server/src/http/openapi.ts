/** The OpenAPI 3.1 document, made from the table of routes and the error catalogue. */
import { z } from 'zod'
import { catalogue, type ErrorName } from '../model/errors.ts'
import { type apiRoutes, contractPath } from './api-routes.ts'
import type { Access, Operation } from './operation.ts'

type JsonSchema = Record<string, unknown>

/** Failures every call can meet. */
const everyCall: readonly ErrorName[] = [
  'authenticationFailed',
  'credentialSwitchedOff',
  'severalCredentials',
  'notAllowed',
  'ipNotAllowed',
  'accountSuspended',
  'tooManyFailedLogins',
  'rateLimited',
  'unreadableRequest',
  'parameterMissing',
  'parameterConflict',
  'parameterInvalid',
  'bodyTooLarge',
  'unsupportedMediaType',
  'internal',
  'unavailable',
]

const introduction = `Register, list and delete webhooks, the addresses to which the gateway sends its events.

## Authentication
Every call needs one credential. Send an API key as \`X-Api-Key: <key>\`, or as \`Authorization: Basic <key>\` with the key itself, without Base64. Apps that a customer has authorized send \`Authorization: Bearer <token>\`.

Two older ways still work and are **deprecated**: a parameter \`p\` with the API key, and the parameters \`u\` and \`p\` with login and password. Calls that use them are answered with a \`Deprecation\` header.

## Parameters
Parameters may stand in the query, in a form body or in a JSON body; all three are read together. An empty value means that a parameter is not set. Unknown parameters are ignored.

## Answers
Every answer is an object with \`success\` and \`code\`. On failure \`success\` is false, \`code\` is a number from the catalogue and \`error_message\` says what is wrong. Existing tools may send \`action\` (\`read\`, \`subscribe\`, \`unsubscribe\`) instead of using the HTTP method: then what is wrong with a request is answered with status 200 and \`success: false\`.`

export function openApiDocument(routes: typeof apiRoutes, baseUrl: URL): JsonSchema {
  const components: Record<string, JsonSchema> = { Failure: failureSchema }
  const paths: Record<string, JsonSchema> = {}
  for (const { verb, path, operation } of routes) {
    const own = path.replaceAll(/:(\w+)/g, '{$1}')
    paths[own] = { ...paths[own], [verb.toLowerCase()]: describe(verb, own, operation, components) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hookline',
      version: '1',
      summary: 'The webhook side of a messaging gateway',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl.origin }],
    security: [{ apiKey: [] }, { basicKey: [] }, { bearer: [] }, { keyParameter: [] }],
    tags: [...new Set(routes.map(({ operation }) => operation.group))].map((name) => ({ name })),
    paths,
    components: { schemas: components, securitySchemes },
  }
}

const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'An API key. The recommended way.',
  },
  basicKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`Basic <API key>`: the key itself, not encoded.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The access token of an app that the customer has authorized.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-hookline',
    description:
      'The sign-in of a person in the developer area. Calls that change something also need `Origin` and `X-CSRF-Token`.',
  },
  keyParameter: {
    type: 'apiKey',
    in: 'query',
    name: 'p',
    description: 'Deprecated: an API key; or, with the parameter `u`, a login password.',
  },
}

const failureSchema: JsonSchema = {
  type: 'object',
  required: ['success', 'code', 'error_message'],
  properties: {
    success: { const: false },
    code: { type: 'integer', enum: Object.values(catalogue).map((entry) => entry.code) },
    error_message: { type: 'string', description: 'What is wrong and what to do, in a sentence.' },
  },
}

function describe(
  verb: string,
  path: string,
  operation: Operation,
  components: Record<string, JsonSchema>,
): JsonSchema {
  const params = jsonSchema(operation.params, components)
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: `${operation.description}\n\n${whoMay(operation.access)}`,
    tags: [operation.group],
    ...describeSecurity(operation.access),
    ...describeParams(verb, path, params),
    responses: {
      200: {
        description: 'Done.',
        content: {
          [operation.mediaType ?? 'application/json']: {
            schema: jsonSchema(operation.answer, components),
          },
        },
      },
      ...describeFailures([
        ...everyCall,
        ...operation.failures,
        ...(operation.access === 'anyone' ? [] : (['tooManyAtOnce'] as const)),
      ]),
    },
  }
}

function whoMay(access: Access): string {
  if (access === 'anyone') return 'Needs no credential.'
  if (access === 'person') return 'Needs a person who is signed in; API keys and tokens are refused.'
  return `Needs the scope \`${access}\`.`
}

function describeSecurity(access: Access): JsonSchema {
  if (access === 'anyone') return { security: [] }
  return access === 'person' ? { security: [{ session: [] }] } : {}
}

/**
 * A DELETE of the contract may carry its parameters in the query or in a body; here they are shown in the query. Those of
 * other calls stand in the body: a query ends up in logs.
 */
function describeParams(verb: string, path: string, schema: JsonSchema): JsonSchema {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const required = (schema.required ?? []) as string[]
  const isInPath = (name: string): boolean => path.includes(`{${name}}`)
  const hasBody = verb === 'POST' || (verb === 'DELETE' && path !== contractPath)
  const inBody = hasBody ? properties.filter(([name]) => !isInPath(name)) : []
  const elsewhere = properties.filter((property) => !inBody.includes(property))
  const bodySchema = {
    ...schema,
    properties: Object.fromEntries(inBody),
    required: required.filter((name) => !isInPath(name)),
  }
  return {
    ...(elsewhere.length > 0 && {
      parameters: elsewhere.map(([name, { description, ...property }]) => ({
        name,
        in: isInPath(name) ? 'path' : 'query',
        required: required.includes(name),
        description,
        schema: property,
      })),
    }),
    ...(inBody.length > 0 && {
      requestBody: {
        required: true,
        content: {
          ...(path === contractPath && { 'application/x-www-form-urlencoded': { schema: bodySchema } }),
          'application/json': { schema: bodySchema },
        },
      },
    }),
  }
}

function describeFailures(names: readonly ErrorName[]): JsonSchema {
  const byStatus = Map.groupBy(names, (name) => catalogue[name].status)
  const statuses = [...byStatus.keys()].toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: (byStatus.get(status) ?? [])
          .map((name) => catalogue[name])
          .map((entry) => `**${entry.code}**: ${entry.meaning}`)
          .join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    ]),
  )
}

/** Named parts of a schema move to the document's components. */
function jsonSchema(schema: z.ZodType, components: Record<string, JsonSchema>): JsonSchema {
  const made = JSON.stringify(z.toJSONSchema(schema, { io: 'input' }))
  const {
    $schema: _,
    $defs,
    ...own
  } = JSON.parse(made.replaceAll('#/$defs/', '#/components/schemas/')) as JsonSchema
  Object.assign(components, $defs)
  return own
}
