/** JSON with line breaks for people; every number, text and order stays as it was sent. Anything else is left alone. */
export function indentJson(text: string): string {
  if (!isJsonContainer(text)) return text
  let shown = ''
  let depth = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g)) {
    if (token === '}' || token === ']') {
      depth -= 1
      shown = /[{[]\n *$/.test(shown) ? shown.trimEnd() : shown + lineBreak(depth)
    }
    shown += token
    if (token === '{' || token === '[') depth += 1
    if (token === '{' || token === '[' || token === ',') shown += lineBreak(depth)
    if (token === ':') shown += ' '
  }
  return shown
}

function lineBreak(depth: number): string {
  return `\n${'  '.repeat(depth)}`
}

function isJsonContainer(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
