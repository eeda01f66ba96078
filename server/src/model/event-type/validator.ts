/** Compiles a checked JSON Schema to a function that validates the data of an event. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { OperatorError } from '../errors.ts'

/** Returns the problem: `"data.id" is missing.` Never contains a value. */
export type Validator = (data: Readonly<Record<string, unknown>>) => string | undefined

// Formats are annotations: their checks are regular expressions. Names of the prototype are not fields.
const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false, ownProperties: true })

export function createValidator(schema: object): Validator {
  const validate = compile(schema)
  return (data) => {
    if (validate(data)) return undefined
    const [error] = validate.errors ?? []
    return error === undefined ? '"data" is not valid.' : describe(error)
  }
}

function compile(schema: object) {
  // Drafts differ only in keywords that are not supported here.
  const { $schema: _, ...plain } = schema as Record<string, unknown>
  try {
    return ajv.compile(plain)
  } catch (error) {
    throw new OperatorError(
      `Invalid schema: ${error instanceof Error ? error.message : 'it cannot be compiled'}.`,
    )
  } finally {
    // Otherwise every replaced schema would stay in memory.
    ajv.removeSchema(plain)
  }
}

function describe({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject): string {
  const steps = instancePath.split('/').slice(1).map(unescape)
  const name = (...more: string[]): string => `"${['data', ...steps, ...more].join('.')}"`
  if (keyword === 'required') return `${name(String(params.missingProperty))} is missing.`
  if (keyword === 'additionalProperties')
    return `${name(String(params.additionalProperty))} is not a field of this type.`
  return `${name()} ${message}.`
}

/** A step of a JSON pointer. */
function unescape(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}
