/** The OpenAPI 3.1 document, made from the table of routes and the error catalog. */
import { z } from 'zod'
import { errorCatalog, type ErrorName } from '../model/errors.ts'
import { type apiRoutes, contractPath } from './api-routes.ts'
import { describeWebhooks, webhookHeaders } from './openapi-webhooks.ts'
import type { Access, Operation } from './operation/operation.ts'

type JsonSchema = Record<string, unknown>

/** Errors of every call. */
const commonErrors: readonly ErrorName[] = [
  'authenticationFailed',
  'credentialDisabled',
  'multipleCredentials',
  'insufficientScope',
  'ipNotAllowed',
  'accountSuspended',
  'tooManyAuthAttempts',
  'rateLimited',
  'tooManySearches',
  'malformedRequest',
  'parameterMissing',
  'parameterConflict',
  'parameterInvalid',
  'bodyTooLarge',
  'unsupportedMediaType',
  'internal',
  'unavailable',
]

const introduction = `Register, list and delete webhooks: the URLs that receive the events of the gateway.

## Authentication
Unless a call says otherwise, it needs one credential. Send an API key as \`X-Api-Key: <key>\`, or as \`Authorization: Basic <key>\` with the key itself, without Base64. OAuth apps that an account has authorized send \`Authorization: Bearer <token>\`.

Two older ways still work and are **deprecated**: a parameter \`p\` with the API key, and the parameters \`u\` and \`p\` with login and password. Responses to calls that use them have a \`Deprecation\` header.

## Parameters
Send parameters in the query or in a JSON body. \`/api/hooks\` also accepts a form body. An empty value means that a parameter is not set. Unknown parameters are ignored.

## Responses
Every response is an object with \`success\` and \`code\`. On failure \`success\` is false, \`code\` is a number from the catalog and \`error_message\` says what is wrong and how to fix it. At \`/api/hooks\`, existing tools may send \`action\` (\`read\`, \`subscribe\`, \`unsubscribe\`) instead of using the HTTP method: then an invalid request gets status 200 and \`success: false\`.`

export function openApiDocument(routes: typeof apiRoutes, baseUrl: URL): JsonSchema {
  const schemas: Record<string, JsonSchema> = { Error: errorSchema }
  const paths: Record<string, JsonSchema> = {}
  for (const { verb, path, operation } of routes) {
    const template = path.replaceAll(/:(\w+)/g, '{$1}')
    paths[template] = {
      ...paths[template],
      [verb.toLowerCase()]: describe(verb, template, operation, schemas),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hookline',
      version: '1',
      summary: 'Webhook service for messaging gateways',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { description: 'Guides', url: `${baseUrl.origin}/guides` },
    servers: [{ url: baseUrl.origin }],
    security: [{ apiKey: [] }, { basicKey: [] }, { bearer: [] }, { keyParameter: [] }],
    tags: [...new Set(routes.map(({ operation }) => operation.group))].map((name) => ({ name })),
    paths,
    webhooks: describeWebhooks(schemas, (schema) => jsonSchema(schema, schemas)),
    components: { schemas, parameters: webhookHeaders, responses: errorResponses, securitySchemes },
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
    description: 'The access token of an authorized OAuth app.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-hookline',
    description:
      'The session of a user in the dashboard. Calls that change data also need `Origin` and `X-CSRF-Token`.',
  },
  keyParameter: {
    type: 'apiKey',
    in: 'query',
    name: 'p',
    description: 'Deprecated: an API key; or, with the parameter `u`, a login password.',
  },
}

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['success', 'code', 'error_message'],
  properties: {
    success: { const: false },
    code: { type: 'integer', enum: Object.values(errorCatalog).map((entry) => entry.code) },
    error_message: { type: 'string', description: 'What is wrong and how to fix it.' },
    field: {
      type: 'string',
      description: 'The parameter at fault, if there is one. Absent for calls of `/api/hooks`.',
    },
    details: {
      type: 'object',
      description: 'Data about the error, if there is any. Absent for calls of `/api/hooks`.',
      properties: {
        limit: { type: 'integer', description: 'The limit that was reached.' },
        max: { type: 'integer', description: 'Largest valid value or length of the parameter.' },
        ids: {
          type: 'array',
          items: { type: 'integer' },
          description: 'Ids of existing objects that conflict with the call.',
        },
        allowed: {
          type: 'array',
          items: { type: 'string' },
          description: 'Valid values of the parameter, or allowed methods.',
        },
        index: {
          type: 'integer',
          description: 'Where the mistake starts in the text of the parameter, in UTF-16 code units.',
        },
        length: { type: 'integer', description: 'Length of the mistake, in UTF-16 code units.' },
        passkey_options: {
          $ref: '#/components/schemas/PasskeyRequestOptions',
          description: 'Options for a passkey as second factor. Only at a sign-in.',
        },
        connection: {
          type: 'string',
          description: 'Connection for single sign-on, for `POST /api/session/sso`.',
        },
      },
    },
  },
}

function describe(
  verb: string,
  path: string,
  operation: Operation,
  schemas: Record<string, JsonSchema>,
): JsonSchema {
  const params = jsonSchema(operation.params, schemas)
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: `${operation.description}\n\n${whoMay(operation.access)}`,
    tags: [operation.group],
    ...describeSecurity(operation.access),
    ...describeParams(verb, path, params, operation),
    responses: {
      200: {
        description: 'Success.',
        content: {
          [operation.mediaType ?? 'application/json']: { schema: jsonSchema(operation.response, schemas) },
        },
      },
      ...describeErrors([
        ...operation.errors,
        ...(operation.takesIdempotencyKey ? (['idempotencyKeyReused'] as const) : []),
      ]),
    },
  }
}

function whoMay(access: Access): string {
  if (access === 'anyone') return 'Needs no credential.'
  if (access === 'caller') return 'Needs any credential.'
  if (access === 'token') return 'Needs the access token of an OAuth app, with any scope.'
  if (access === 'session') return 'Needs a signed-in user; API keys and tokens are rejected.'
  return `Needs the scope \`${access}\`.`
}

function describeSecurity(access: Access): JsonSchema {
  if (access === 'anyone') return { security: [] }
  if (access === 'token') return { security: [{ bearer: [] }] }
  return access === 'session' ? { security: [{ session: [] }] } : {}
}

/**
 * A DELETE of the contract takes its parameters from the query or a body; the document shows the query. Other calls take
 * them from the body, because queries end up in logs.
 */
function describeParams(
  verb: string,
  path: string,
  schema: JsonSchema,
  { takesIdempotencyKey }: Operation,
): JsonSchema {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const required = (schema.required ?? []) as string[]
  const isInPath = (name: string): boolean => path.includes(`{${name}}`)
  const hasBody = verb === 'POST' || (verb === 'DELETE' && path !== contractPath)
  const inBody = hasBody ? properties.filter(([name]) => !isInPath(name)) : []
  const outsideBody = properties.filter((property) => !inBody.includes(property))
  const bodySchema = {
    ...schema,
    properties: Object.fromEntries(inBody),
    required: required.filter((name) => !isInPath(name)),
  }
  const parameters = outsideBody.map(([name, { description, ...property }]) => ({
    name,
    in: isInPath(name) ? 'path' : 'query',
    required: required.includes(name),
    description,
    schema: property,
  }))
  const all = takesIdempotencyKey ? [...parameters, idempotencyKeyParameter] : parameters
  return {
    ...(all.length > 0 && { parameters: all }),
    ...(inBody.length > 0 && {
      requestBody: {
        required: true,
        content: {
          ...(path === contractPath && {
            'application/x-www-form-urlencoded': { schema: bodySchema },
            'multipart/form-data': { schema: bodySchema },
          }),
          'application/json': { schema: bodySchema },
        },
      },
    }),
  }
}

const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A new unique value for each call, such as a UUID. Repeating a call with its key has no further effect and returns the first response, with the header `idempotency-replayed: true`. Keys are kept for 24 hours, at most the newest 2,000 of an account.',
  schema: { type: 'string', minLength: 1, maxLength: 128 },
}

/** The response to a failed call. The description lists the errors that every call can return. */
const errorResponses = {
  Error: {
    description: [...groupByStatus(commonErrors)]
      .toSorted(([one], [other]) => one - other)
      .map(([status, names]) => `Status ${status}:\n\n${listErrors(names)}`)
      .join('\n\n'),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  },
}

const errorReference = { $ref: '#/components/responses/Error' }

/** Names a status only where the operation adds errors; `default` stands for those of every call. */
function describeErrors(own: readonly ErrorName[]): JsonSchema {
  const statuses = [...groupByStatus(own)].map(([status, names]) => [
    status,
    { ...errorReference, description: listErrors(names) },
  ])
  return { ...Object.fromEntries(statuses), default: errorReference }
}

function groupByStatus(names: readonly ErrorName[]): Map<number, ErrorName[]> {
  return Map.groupBy(names, (name) => errorCatalog[name].status)
}

function listErrors(names: readonly ErrorName[]): string {
  return names
    .map((name) => errorCatalog[name])
    .map((entry) => `**${entry.code}**: ${entry.description}`)
    .join('\n\n')
}

/** Moves the named parts of a schema to the components of the document. */
function jsonSchema(schema: z.ZodType, schemas: Record<string, JsonSchema>): JsonSchema {
  const text = JSON.stringify(
    z.toJSONSchema(schema, { io: 'input', override: ({ jsonSchema: part }) => simplify(part) }),
  )
  const {
    $schema: _,
    $defs,
    ...rest
  } = JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/')) as JsonSchema
  Object.assign(schemas, $defs)
  return rest
}

/** Drops keywords that repeat another: the pattern of a format, the bounds of a safe integer. */
function simplify(part: JsonSchema): void {
  if (part.format !== undefined) delete part.pattern
  if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum
  if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum
}
