/** Header lines as they came, apart by name and value. */
import type { Header } from '../api/shapes.ts'

export function parseHeaders(text: string): Header[] {
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
