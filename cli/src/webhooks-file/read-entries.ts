/**
 * Reads the webhooks that a YAML file describes. Everything has a limit: the size of the file, the number of webhooks,
 * and aliases, which are only followed where a value is expected, so they cannot multiply.
 */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type ParsedNode,
  type Scalar,
  visit,
} from 'yaml'
import { nearest } from '../nearest.ts'
import { expand } from './expand.ts'
import type { Position, Problems } from './problems.ts'
import { choices, fields, type Settings } from './settings.ts'

/** A webhook of a file. */
export interface Entry {
  at: Position
  /** Identifies the webhook. Otherwise, its name does. */
  id: number | undefined
  settings: Omit<Settings, 'headers'>
  headers: readonly FileHeader[]
  /** The URL as the file has it, if it has variables. */
  urlTemplate: string | undefined
  variables: ReadonlySet<string>
  /** Where a setting is. */
  positionOf: (field: string) => Position
}

interface FileHeader {
  at: Position
  name: string
  /** Undefined keeps the value that the webhook has. */
  value: string | undefined
}

const maxWebhooks = 1_000
const maxTextLength = 65_536
const maxListItems = 100
const keys = ['id', 'event_type', ...fields]
const tooDeep = 'The file is nested too deeply.'
const start: Position = { line: 1, column: 1 }

interface Reader {
  problems: Problems
  environment: NodeJS.ProcessEnv
  anchors: ReadonlyMap<string, Node>
  positionOf: (node: unknown) => Position
}

export function readEntries(text: string, problems: Problems, environment: NodeJS.ProcessEnv): Entry[] {
  const document = parse(text, problems)
  if (document === undefined) return []
  const reader = { problems, environment, ...document }
  const root = readMap(reader, document.contents, ['webhooks'], start)
  if (root === undefined) return []
  const list = root.get('webhooks')
  if (list === undefined) {
    problems.add(start, 'The file has no list "webhooks".')
    return []
  }
  return readList(reader, list, maxWebhooks).flatMap((node) => readEntry(reader, node) ?? [])
}

interface ParsedFile extends Pick<Reader, 'anchors' | 'positionOf'> {
  contents: ParsedNode | null
}

function parse(text: string, problems: Problems): ParsedFile | undefined {
  const lines = new LineCounter()
  const positionAt = (offset: number): Position => {
    const { line, col: column } = lines.linePos(offset)
    return { line, column }
  }
  try {
    // Duplicate keys are found here, because the check of the library takes quadratic time.
    const { errors, warnings, contents } = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: false,
    })
    const [first] = [...errors, ...warnings]
    if (first !== undefined) {
      const [message = ''] = first.message.split('\n')
      // The library reports some of its own stack overflows as syntax errors.
      problems.add(positionAt(first.pos[0]), /stack/i.test(message) ? tooDeep : message)
      return undefined
    }
    const positionOf = (node: unknown): Position => {
      const range = (node as { range?: [number, number, number] } | null)?.range
      return range === undefined ? start : positionAt(range[0])
    }
    return { contents, positionOf, anchors: findAnchors(contents, positionOf, problems) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    problems.add(start, tooDeep)
    return undefined
  }
}

function findAnchors(
  contents: ParsedNode | null,
  positionOf: Reader['positionOf'],
  problems: Problems,
): Map<string, Node> {
  const anchors = new Map<string, Node>()
  visit(contents, {
    Node(_, node) {
      const { anchor } = node as { anchor?: string }
      if (anchor === undefined) return
      if (anchors.has(anchor)) problems.add(positionOf(node), `The anchor "${anchor}" is used twice.`)
      anchors.set(anchor, node)
    },
  })
  return anchors
}

function resolve({ anchors }: Reader, node: unknown): unknown {
  return isAlias(node) ? anchors.get(node.source) : node
}

function isEmpty(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null)
}

/** Numbers are read as they are written, so that `1.10` stays `1.10`. */
function asWritten({ value, source }: Scalar): string {
  return typeof value === 'string' ? value : (source ?? String(value))
}

/** Returns the pairs of a map by key. */
function readMap(
  reader: Reader,
  given: unknown,
  known: readonly string[] | undefined,
  at: Position,
): Map<string, unknown> | undefined {
  const node = resolve(reader, given)
  if (!isMap(node)) {
    reader.problems.add(
      at,
      `Expected ${known === undefined ? '"Name: value" lines' : `keys such as "${known.at(-1)}"`}.`,
    )
    return undefined
  }
  if (node.items.length > maxListItems) {
    reader.problems.add(at, `More than ${maxListItems} keys.`)
    return undefined
  }
  const values = new Map<string, unknown>()
  for (const pair of node.items) {
    const keyAt = reader.positionOf(pair.key)
    const key = isScalar(pair.key) ? asWritten(pair.key) : undefined
    if (key === undefined) reader.problems.add(keyAt, 'A key must be text.')
    else if (values.has(key)) reader.problems.add(keyAt, `The key "${key}" is used twice.`)
    else if (known?.includes(key) === false) {
      const meant = nearest(key, known)
      reader.problems.add(
        keyAt,
        `Unknown key "${key.slice(0, 50)}".${meant === undefined ? ` Choose from ${known.join(', ')}.` : ` Did you mean "${meant}"?`}`,
      )
    } else values.set(key, pair)
  }
  return values
}

function readList(reader: Reader, pair: unknown, max: number): unknown[] {
  const node = resolve(reader, valueOf(pair))
  if (!isSeq(node)) {
    reader.problems.add(positionOfPair(reader, pair), 'Expected a list: lines that start with "- ".')
    return []
  }
  if (node.items.length > max) {
    reader.problems.add(positionOfPair(reader, pair), `At most ${max.toLocaleString('en-US')} are allowed.`)
    return []
  }
  return node.items
}

function valueOf(pair: unknown): unknown {
  return (pair as Pair).value
}

/** Of the value, or of the key of an empty value. */
function positionOfPair(reader: Reader, pair: unknown): Position {
  const { key, value } = pair as Pair
  return reader.positionOf(value ?? key)
}

function readEntry(reader: Reader, node: unknown): Entry | undefined {
  const at = reader.positionOf(node)
  const map = readMap(reader, node, keys, at)
  if (map === undefined) return undefined
  const positionOf = (field: string): Position => {
    const pair = map.get(field) ?? (field === 'event_types' ? map.get('event_type') : undefined)
    return pair === undefined ? at : positionOfPair(reader, pair)
  }
  const text = (key: string): string | null => readText(reader, map.get(key))
  const id = readInteger(reader, map.get('id'), 2 ** 31 - 1)
  const name = text('name')?.trim() || null
  if (!map.has('id') && name === null)
    reader.problems.add(at, 'A webhook needs a name, which identifies it, or the id of an existing webhook.')
  const url = readUrl(reader, map.get('target_url'), at)
  const { headers, variables } = readHeaders(reader, map.get('headers'))
  return {
    at,
    id: id ?? undefined,
    positionOf,
    headers,
    urlTemplate: url.variables.length === 0 ? undefined : url.template,
    variables: new Set([...url.variables, ...variables]),
    settings: {
      name,
      description: text('description')?.replaceAll('\r\n', '\n').trim() || null,
      target_url: url.value,
      request_method: readRequestMethod(reader, map, at),
      event_types: readTypes(reader, map, at),
      event_filter: text('event_filter') || null,
      max_per_second: readInteger(reader, map.get('max_per_second'), 10_000),
      form_fields: readChoice(reader, map.get('form_fields'), choices.form_fields),
      accept_header: readBoolean(reader, map.get('accept_header')),
      trace_header: readBoolean(reader, map.get('trace_header')),
      signature_url: readChoice(reader, map.get('signature_url'), choices.signature_url),
      retry_policy: readChoice(reader, map.get('retry_policy'), choices.retry_policy),
    },
  }
}

function readText(reader: Reader, pair: unknown): string | null {
  return pair === undefined ? null : readScalar(reader, valueOf(pair), positionOfPair(reader, pair))
}

function readScalar(reader: Reader, given: unknown, at: Position): string | null {
  const node = resolve(reader, given)
  if (isEmpty(node)) return null
  if (!isScalar(node)) {
    reader.problems.add(at, 'Expected text. Put it in quotes if it contains special characters.')
    return null
  }
  const text = asWritten(node)
  if (text.length <= maxTextLength) return text
  reader.problems.add(at, `Longer than ${maxTextLength.toLocaleString('en-US')} characters.`)
  return null
}

function readInteger(reader: Reader, pair: unknown, max: number): number | null {
  const text = readText(reader, pair)
  if (text === null) return null
  const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN
  if (number <= max) return number
  reader.problems.add(
    positionOfPair(reader, pair),
    `Expected an integer from 1 to ${max.toLocaleString('en-US')}.`,
  )
  return null
}

function readBoolean(reader: Reader, pair: unknown): boolean {
  const text = readText(reader, pair)
  if (text === null) return false
  if (text !== 'true' && text !== 'false')
    reader.problems.add(positionOfPair(reader, pair), 'Expected true or false.')
  return text === 'true'
}

function readRequestMethod(reader: Reader, map: ReadonlyMap<string, unknown>, at: Position) {
  const pair = map.get('request_method')
  if (pair === undefined)
    reader.problems.add(at, `Missing "request_method": ${choices.request_method.join(', ')}.`)
  const text = readText(reader, pair)?.toUpperCase()
  const method = choices.request_method.find((choice) => choice === text)
  if (pair !== undefined && method === undefined)
    rejectChoice(reader, pair, text ?? '', choices.request_method)
  return method ?? 'JSON'
}

/** The first choice is the default. */
function readChoice<const Choice extends string>(
  reader: Reader,
  pair: unknown,
  allowed: readonly [Choice, ...Choice[]],
): Choice {
  const text = readText(reader, pair)
  const choice = allowed.find((candidate) => candidate === text)
  if (text !== null && choice === undefined) rejectChoice(reader, pair, text, allowed)
  return choice ?? allowed[0]
}

function rejectChoice(reader: Reader, pair: unknown, text: string, allowed: readonly string[]): void {
  const meant = nearest(text, allowed)
  reader.problems.add(
    positionOfPair(reader, pair),
    `Expected ${allowed.join(', ')}.${meant === undefined ? '' : ` Did you mean "${meant}"?`}`,
  )
}

/** One `event_type`, or several `event_types`. */
function readTypes(reader: Reader, map: ReadonlyMap<string, unknown>, at: Position): string[] {
  const [one, several] = [map.get('event_type'), map.get('event_types')]
  if ((one === undefined) === (several === undefined)) {
    reader.problems.add(at, 'A webhook needs either "event_type" or "event_types".')
    return []
  }
  const items = several === undefined ? [valueOf(one)] : readList(reader, several, maxListItems)
  const types = items.map((node) => readScalar(reader, node, reader.positionOf(node)) ?? '')
  if (types.length === 0 || types.includes(''))
    reader.problems.add(positionOfPair(reader, one ?? several), 'Name an event type, such as sms_mo.')
  return [...new Set(types)]
}

interface FileUrl {
  value: string
  template: string
  variables: readonly string[]
}

function readUrl(reader: Reader, pair: unknown, at: Position): FileUrl {
  const template = readText(reader, pair) ?? ''
  if (template === '')
    reader.problems.add(pair === undefined ? at : positionOfPair(reader, pair), 'Missing "target_url".')
  return {
    template,
    ...readVariables(reader, template, pair === undefined ? at : positionOfPair(reader, pair)),
  }
}

function readVariables(reader: Reader, text: string, at: Position) {
  try {
    return expand(text, reader.environment)
  } catch (error) {
    reader.problems.add(at, (error as Error).message)
    return { value: '', variables: [] }
  }
}

function readHeaders(reader: Reader, pair: unknown): { headers: FileHeader[]; variables: string[] } {
  if (pair === undefined || isEmpty(resolve(reader, valueOf(pair)))) return { headers: [], variables: [] }
  const map = readMap(reader, valueOf(pair), undefined, positionOfPair(reader, pair))
  const seen = new Set<string>()
  const variables: string[] = []
  const headers = [...(map ?? [])].map(([name, header]) => {
    const at = positionOfPair(reader, header)
    const text = readText(reader, header)
    const expanded = text === null ? undefined : readVariables(reader, text, at)
    variables.push(...(expanded?.variables ?? []))
    if (seen.has(name.toLowerCase())) reader.problems.add(at, `The header "${name}" is used twice.`)
    seen.add(name.toLowerCase())
    // A line feed would begin another header.
    if (!/^[\t\x20-\x7e]*$/.test(expanded?.value ?? ''))
      reader.problems.add(
        at,
        `The value of "${name}" contains characters other than visible ASCII, spaces and tabs.`,
      )
    if (!/^[^\s:]+$/.test(name)) reader.problems.add(at, 'The name of a header has no spaces and no colons.')
    return { at, name, value: expanded?.value.trim() }
  })
  return { headers, variables }
}
