/**
 * Checks a JSON Schema that an operator adds. Producers choose the data that it validates, so the cost of a validation
 * must be bounded: no regular expressions, no recursion, and a limit on the checks that a value can meet.
 */
import { OperatorError } from '../errors.ts'

/** Checks of a schema: subschemas, required names and listed values, with every `$ref` written out. */
const maxSchemaChecks = 1_000

type Keyword =
  /** Text and hints for readers. */
  | 'annotation'
  | 'limit'
  | 'names'
  | 'values'
  | 'schema'
  | 'schemas'
  | 'named schemas'
  /** Checked only where a `$ref` uses them. */
  | 'definitions'
  | 'reference'

const keywords: Readonly<Record<string, Keyword>> = {
  $schema: 'annotation',
  $comment: 'annotation',
  title: 'annotation',
  description: 'annotation',
  default: 'annotation',
  examples: 'annotation',
  deprecated: 'annotation',
  readOnly: 'annotation',
  writeOnly: 'annotation',
  format: 'annotation',
  type: 'limit',
  minimum: 'limit',
  maximum: 'limit',
  exclusiveMinimum: 'limit',
  exclusiveMaximum: 'limit',
  multipleOf: 'limit',
  minLength: 'limit',
  maxLength: 'limit',
  minItems: 'limit',
  maxItems: 'limit',
  minProperties: 'limit',
  maxProperties: 'limit',
  required: 'names',
  enum: 'values',
  const: 'values',
  items: 'schema',
  additionalProperties: 'schema',
  not: 'schema',
  prefixItems: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  allOf: 'schemas',
  properties: 'named schemas',
  $defs: 'definitions',
  definitions: 'definitions',
  $ref: 'reference',
}

const reasons: Readonly<Record<string, string>> = {
  pattern:
    'A regular expression can take hours on a value that a producer chooses. Use enum, minLength and maxLength.',
  patternProperties: 'A regular expression can take hours on a name that a producer chooses. Use properties.',
  uniqueItems: 'Its cost grows with the square of the list.',
}

/** Characters of a listed value that cost as much as one check. */
const charactersPerCheck = 16

/** Returns the number of checks. Throws if the schema is not allowed. */
export function checkSchema(root: unknown): number {
  let checks = 0

  function count(more: number): void {
    checks += more
    if (checks > maxSchemaChecks)
      throw new OperatorError(
        `The schema has more than ${maxSchemaChecks} checks, counting each use of a $ref. Simplify it.`,
      )
  }

  function visit(schema: unknown, path: string, references: readonly string[]): void {
    count(1)
    if (typeof schema === 'boolean') return
    if (!isObject(schema)) throw new OperatorError(`${path} of the schema must be an object, true or false.`)
    for (const [name, value] of Object.entries(schema)) {
      const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined
      if (keyword === undefined)
        throw new OperatorError(
          `The schema uses ${JSON.stringify(name.slice(0, 50))} at ${path}, which is not supported. ${reasons[name] ?? `Supported: ${Object.keys(keywords).join(', ')}.`}`,
        )
      const inner = `${path}/${name}`
      if (keyword === 'names') count(Array.isArray(value) ? value.length : 0)
      else if (keyword === 'values') count(Math.ceil(JSON.stringify(value).length / charactersPerCheck))
      else if (keyword === 'schema') visit(value, inner, references)
      else if (keyword === 'schemas') for (const part of listOf(value, inner)) visit(part, inner, references)
      else if (keyword === 'named schemas')
        for (const part of Object.values(objectOf(value, inner))) visit(part, inner, references)
      else if (keyword === 'reference') follow(value, inner, references)
    }
  }

  function follow(reference: unknown, path: string, references: readonly string[]): void {
    const [, container, name] = /^#\/(\$defs|definitions)\/([\w.-]+)$/.exec(String(reference)) ?? []
    if (container === undefined || name === undefined)
      throw new OperatorError(
        `${path} of the schema must be of the form #/$defs/name. Schemas elsewhere are never loaded.`,
      )
    if (references.includes(String(reference)))
      throw new OperatorError(`${path} of the schema refers to itself. Recursive schemas are not supported.`)
    const definitions = isObject(root) ? root[container] : undefined
    if (!isObject(definitions) || !Object.hasOwn(definitions, name))
      throw new OperatorError(`The schema has no ${String(reference)}, which ${path} refers to.`)
    visit(definitions[name], path, [...references, String(reference)])
  }

  if (!isObject(root)) throw new OperatorError('"schema" must be an object.')
  visit(root, '#', [])
  return checks
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw new OperatorError(`${path} of the schema must be a list.`)
  return value
}

function objectOf(value: unknown, path: string): Record<string, unknown> {
  if (!isObject(value)) throw new OperatorError(`${path} of the schema must be an object.`)
  return value
}
