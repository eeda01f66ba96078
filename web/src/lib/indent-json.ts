/** Indents JSON and keeps every token and its order as sent. Returns any other text unchanged. */
export function indentJson(text: string): string {
  if (!isJsonContainer(text)) return text
  let output = ''
  let depth = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g)) {
    if (token === '}' || token === ']') {
      depth -= 1
      output = /[{[]\n *$/.test(output) ? output.trimEnd() : output + lineBreak(depth)
    }
    output += token
    if (token === '{' || token === '[') depth += 1
    if (token === '{' || token === '[' || token === ',') output += lineBreak(depth)
    if (token === ':') output += ' '
  }
  return output
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
