/**
 * What a call beyond the contract is given: its JSON body, its query and what stands in its path, under one set of names.
 * Bodies are JSON alone, which no form of a foreign page can send.
 */
import { Refusal } from '../model/errors.ts'
import { decodeBody, parseJsonObject, readForm } from './params.ts'

export type Input = Readonly<Record<string, unknown>>

interface InputText {
  query: string
  contentType: string | undefined
  body: Buffer | undefined
  /** What the path's patterns matched. */
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
    throw new Refusal('parameterConflict', `The parameter "${name}" was sent more than once.`)
  if (!isText(value)) throw new Refusal('parameterInvalid', `The parameter "${name}" is not valid text.`)
  input[name] = value
}

/** NUL and half characters can be written in JSON and kept nowhere. */
function isText(value: unknown): boolean {
  return ![value].flat().some((text) => typeof text === 'string' && /[\0\p{Cs}]/u.test(text))
}

function readJsonBody(contentType: string | undefined, body: Buffer | undefined): object {
  if (body === undefined || body.length === 0) return {}
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType ?? ''))
    throw new Refusal('unsupportedMediaType', 'Send the body as application/json.')
  return parseJsonObject(decodeBody(body))
}
