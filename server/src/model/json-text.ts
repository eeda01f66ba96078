/**
 * The text of values inside JSON text, for what JSON.parse does not tell: names that stand twice, and values exactly as
 * they were written. Only for text that JSON.parse has accepted.
 */

const quote = 0x22
const backslash = 0x5c

/** JSON text without insignificant white space. */
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

/** Name and text of each member of an object, repeated ones included, in their order. */
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

/** The text of each element of an array. */
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

/** The end of the value that starts at a place. */
function skipValue(json: string, start: number): number {
  let depth = 0
  let at = start
  while (at < json.length) {
    const code = json.charCodeAt(at)
    if (code === quote) at = endOfString(json, at)
    else {
      // A number or a word ends before what follows it, which belongs to what holds it.
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

/** By `{` and `[` one deeper, by `}` and `]` one less. */
function nestingBy(code: number): number {
  if (code === 0x7b || code === 0x5b) return 1
  return code === 0x7d || code === 0x5d ? -1 : 0
}

/** The place after the string that starts at a place. A quote after an odd number of backslashes belongs to it. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let before = at - 1
    while (json.charCodeAt(before) === backslash) before--
    if ((at - before) % 2 === 1) return at + 1
  }
  throw new Error('this is not JSON')
}

export interface JsonShape {
  /** How deep objects and lists are nested. */
  depth: number
  /** Members of objects, at all levels. */
  keys: number
  /** Members of objects and elements of lists, at all levels; an empty object or list counts as one more. */
  values: number
  /** Characters of the longest name of a member, as it is written. */
  longestKey: number
}

const comma = 0x2c
const colon = 0x3a

/**
 * Measures JSON text without building anything of it, in one pass. Works on text that JSON.parse has not seen yet too, so
 * that its cost can be bounded beforehand. Throws where a string does not end.
 */
export function measureJson(json: string): JsonShape {
  const shape: JsonShape = { depth: 0, keys: 0, values: 0, longestKey: 0 }
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
      shape.longestKey = Math.max(shape.longestKey, lastString)
    } else {
      const change = nestingBy(code)
      depth += change
      if (change > 0) shape.values++
      if (depth > shape.depth) shape.depth = depth
    }
  }
  return shape
}
