/**
 * The text of values inside JSON text, for what JSON.parse does not tell: names that stand twice, and values exactly as
 * they were written. Only for text that JSON.parse has accepted.
 */

/** JSON text without insignificant white space. */
export function compactJson(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (token) => (token.startsWith('"') ? token : ''))
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
  const token = /"(?:[^"\\]|\\.)*"|[[{]|[\]}]|[^"[\]{},:]+|[,:]/y
  token.lastIndex = start
  let depth = 0
  for (;;) {
    const found = token.exec(json)
    if (found === null) throw new Error('this is not compact JSON')
    const [text] = found
    if (text === '{' || text === '[') depth++
    else if (text === '}' || text === ']') depth--
    if (depth === 0) return token.lastIndex
  }
}

/** How deep objects and lists are nested in JSON text. */
export function nestingOf(json: string): number {
  let depth = 0
  let deepest = 0
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/g))
    if (token === '{' || token === '[') deepest = Math.max(deepest, ++depth)
    else if (token === '}' || token === ']') depth--
  return deepest
}
