/** The definition of an event type that an operator adds: texts, schema, sample and the fields with a meaning. Pure. */
import { z } from 'zod'
import { describeIssue } from '../describe-issue.ts'
import { isBuiltIn } from '../event.ts'
import { isPartName } from '../event-part.ts'
import { OperatorError } from '../errors.ts'
import { measureJson } from '../json-text.ts'
import { isAccountEvent } from './account-event.ts'
import { checkSchema } from './check-schema.ts'
import { createValidator } from './validator.ts'

/** Also the form of unknown types, if an installation routes them. */
export const typeNamePattern = /^[a-z][a-z0-9_.]{0,39}$/

const maxSchemaBytes = 64 * 1024
const maxSampleBytes = 16 * 1024
const maxDepth = 32
const maxFields = 200
const maxFieldLength = 256

const fieldName = z.string().min(1).max(maxFieldLength)
const jsonObject = z.record(z.string(), z.unknown())

const definition = z.strictObject({
  name: z
    .string()
    .regex(typeNamePattern, { error: 'must have 1 to 40 of a-z, 0-9, _ and ., and start with a letter' }),
  label: z.string().trim().min(1).max(60),
  description: z.string().trim().max(500).default(''),
  schema: jsonObject,
  sample: jsonObject,
  public_fields: z.array(fieldName).max(maxFields).default([]),
  filter_field: fieldName.nullable().default(null),
  time_sensitive: z.boolean().default(false),
})

export type EventTypeDefinition = z.infer<typeof definition>

/** Reads a stored definition. A newer version may have added fields. Returns undefined if it cannot be read. */
export function readDefinition(stored: unknown): EventTypeDefinition | undefined {
  return z.object(definition.shape).safeParse(stored).data
}

/** Parses and checks the file of an operator. Throws with the reason. */
export function parseDefinition(text: string): EventTypeDefinition {
  if (Buffer.byteLength(text) > 2 * maxSchemaBytes)
    throw new OperatorError(`The file has more than ${2 * maxSchemaBytes} bytes.`)
  const parsed = definition.safeParse(parseJson(text), { error: describeIssue })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = issue?.path.join('.') ?? ''
    throw new OperatorError(`${name === '' ? 'The file' : `"${name}"`} ${issue?.message}.`)
  }
  checkDefinition(parsed.data)
  return parsed.data
}

/** Measured before parsing, and before anything recursive sees the values. */
function parseJson(text: string): unknown {
  try {
    if (measureJson(text).depth <= maxDepth) return JSON.parse(text)
  } catch {
    throw new OperatorError('The file is not valid JSON.')
  }
  throw new OperatorError(`The file is nested deeper than ${maxDepth} levels.`)
}

function checkDefinition({ name, schema, sample }: EventTypeDefinition): void {
  if (name === 'all' || isPartName(name) || isAccountEvent(name) || isBuiltIn(name))
    throw new OperatorError(`"${name}" is a built-in name. Choose another.`)
  if (Buffer.byteLength(JSON.stringify(schema)) > maxSchemaBytes)
    throw new OperatorError(`The schema has more than ${maxSchemaBytes} bytes.`)
  if (Buffer.byteLength(JSON.stringify(sample)) > maxSampleBytes)
    throw new OperatorError(`The sample has more than ${maxSampleBytes} bytes.`)
  checkSchema(schema)
  const problem = createValidator(schema)(sample)
  if (problem !== undefined) throw new OperatorError(`The sample does not match the schema: ${problem}`)
}
