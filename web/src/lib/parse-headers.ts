/** Splits the header lines of a response into names and values. */
export function parseHeaders(text: string): Array<{ name: string; value: string }> {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':')
      return colon < 0
        ? { name: line, value: '' }
        : { name: line.slice(0, colon), value: line.slice(colon + 1).trim() }
    })
}
