/**
 * Reads the input of a call outside the contract: JSON body, query and path parameters, merged by name.
 * Bodies must be JSON, which forms on other sites cannot send.
 */
import { ApiError } from '../../model/errors.ts'
import { decodeBody, parseJsonObject, readForm } from './contract-params.ts'

export type Input = Readonly<Record<string, unknown>>

interface InputText {
  query: string
  contentType: string | undefined
  body: Buffer | undefined
  /** Values of the path parameters. */
  path: Readonly<Record<string, string>>
}

export function readInput({ query, contentType, body, path }: InputText): Input {
  const input: Record<string, unknown> = Object.create(null)
  for (const [name, value] of readForm(query)) if (value !== null && value !== '') add(input, name, value)
  for (const [name, value] of Object.entries(readJsonBody(contentType, body))) add(input, name, value)
  return Object.assign(input, path)
}

function add(input: Record<string, unknown>, name: string, value: unknown): void {
  if (name in input)
    throw new ApiError('parameterConflict', `The parameter "${name}" was sent more than once.`, {
      field: name,
    })
  if (!isText(value))
    throw new ApiError('parameterInvalid', `The parameter "${name}" is not valid text.`, { field: name })
  input[name] = value
}

/** Rejects NUL and lone surrogates, which JSON can contain but PostgreSQL cannot store. */
function isText(value: unknown): boolean {
  return ![value].flat().some((text) => typeof text === 'string' && /[\0\p{Cs}]/u.test(text))
}

function readJsonBody(contentType: string | undefined, body: Buffer | undefined): object {
  if (body === undefined || body.length === 0) return {}
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType ?? ''))
    throw new ApiError('unsupportedMediaType', 'Send the body as application/json.')
  return parseJsonObject(decodeBody(body))
}
