/**
 * Reads the raw text of values in JSON, which JSON.parse does not return: duplicate names, and values exactly as
 * written. Only for text that JSON.parse has accepted.
 */

const quote = 0x22
const backslash = 0x5c

/** Removes insignificant whitespace. */
export function compactJson(json: string): string {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) at = endOfString(json, at) - 1
    else if (code <= 0x20) {
      if (at > from) parts.push(json.slice(from, at))
      from = at + 1
    }
  }
  return from === 0 ? json : parts.join('') + json.slice(from)
}

/** Returns name and text of each member of an object in order, including duplicates. */
export function memberTexts(compactObject: string): Array<[name: string, text: string]> {
  const members: Array<[string, string]> = []
  let at = 1
  while (compactObject[at] === '"') {
    const nameEnd = skipValue(compactObject, at)
    const valueEnd = skipValue(compactObject, nameEnd + 1)
    const name = String(JSON.parse(compactObject.slice(at, nameEnd)))
    members.push([name, compactObject.slice(nameEnd + 1, valueEnd)])
    at = valueEnd + 1
  }
  return members
}

/** Returns the text of each element of an array. */
export function elementTexts(compactArray: string): string[] {
  const elements: string[] = []
  let at = 1
  while (at < compactArray.length - 1) {
    const end = skipValue(compactArray, at)
    elements.push(compactArray.slice(at, end))
    at = end + 1
  }
  return elements
}

/** Returns the end of the value that starts at `start`. */
function skipValue(json: string, start: number): number {
  let depth = 0
  let at = start
  while (at < json.length) {
    const code = json.charCodeAt(at)
    if (code === quote) at = endOfString(json, at)
    else {
      // A number or literal ends before the next structural character, which belongs to its container.
      if (depth === 0 && at > start && isStructure(code)) return at
      depth += nestingBy(code)
      at++
    }
    if (depth === 0 && endsValue(json.charCodeAt(at - 1))) return at
  }
  return at
}

function isStructure(code: number): boolean {
  return code === 0x2c || code === 0x3a || nestingBy(code) !== 0
}

function endsValue(code: number): boolean {
  return code === quote || nestingBy(code) < 0
}

/** Returns 1 for `{` and `[`, -1 for `}` and `]`. */
function nestingBy(code: number): number {
  if (code === 0x7b || code === 0x5b) return 1
  return code === 0x7d || code === 0x5d ? -1 : 0
}

/**
 * Returns the index after the string that starts at `start`. A quote after an odd number of backslashes is part of
 * it.
 */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let before = at - 1
    while (json.charCodeAt(before) === backslash) before--
    if ((at - before) % 2 === 1) return at + 1
  }
  throw new Error('invalid JSON')
}

export interface JsonShape {
  /** Nesting depth of objects and lists. */
  depth: number
  /** Object members at all levels. */
  keys: number
  /** Object members and list elements at all levels; an empty object or list counts as one more. */
  values: number
  /** Length of the longest member name, as written. */
  maxKeyLength: number
}

const comma = 0x2c
const colon = 0x3a

/**
 * Measures JSON text in one pass without building values. Also works on text that JSON.parse has not accepted yet, to
 * bound the cost of parsing. Throws if a string does not end.
 */
export function measureJson(json: string): JsonShape {
  const shape: JsonShape = { depth: 0, keys: 0, values: 0, maxKeyLength: 0 }
  let depth = 0
  let lastString = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) {
      const end = endOfString(json, at)
      lastString = end - at - 2
      at = end - 1
    } else if (code === comma) shape.values++
    else if (code === colon) {
      shape.keys++
      shape.maxKeyLength = Math.max(shape.maxKeyLength, lastString)
    } else {
      const change = nestingBy(code)
      depth += change
      if (change > 0) shape.values++
      if (depth > shape.depth) shape.depth = depth
    }
  }
  return shape
}
