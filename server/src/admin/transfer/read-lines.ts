/** Reads a file line by line, with bounded memory whatever the file contains. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

export interface Line {
  /** From 1. */
  number: number
  /** Undefined: too long, or not UTF-8. */
  text: string | undefined
  problem?: string
}

/** The largest record has a URL, headers and a filter at their limits, escaped. */
const maxLineBytes = 256 * 1024
const chunkBytes = 256 * 1024
const lineFeed = 0x0a

export interface LineReader {
  /** Yields the lines of each part of the file. Blank lines are left out. */
  lines: AsyncGenerator<Line[]>
  bytesRead: () => number
  /** SHA-256 of the bytes read so far, in hexadecimal digits. */
  digest: () => string
}

export function readLines(path: string): LineReader {
  const hash = createHash('sha256')
  let bytesRead = 0

  async function* lines(): AsyncGenerator<Line[]> {
    let number = 0
    let parts: Buffer[] = []
    let length = 0
    const take = (end: Buffer): Line | undefined => {
      number++
      const isTooLong = length + end.length > maxLineBytes
      const line = isTooLong
        ? { number, text: undefined, problem: `The line is longer than ${maxLineBytes} bytes.` }
        : decode(number, parts.length === 0 ? end : Buffer.concat([...parts, end]))
      parts = []
      length = 0
      return line
    }
    for await (const chunk of createReadStream(path, {
      highWaterMark: chunkBytes,
    }) as AsyncIterable<Buffer>) {
      bytesRead += chunk.length
      hash.update(chunk)
      const found: Line[] = []
      let start = 0
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
        const line = take(chunk.subarray(start, end))
        if (line !== undefined) found.push(line)
        start = end + 1
      }
      const rest = chunk.subarray(start)
      length += rest.length
      // Of a line that is too long, only the length is kept.
      if (length > maxLineBytes) parts = []
      else if (rest.length > 0) parts.push(rest)
      yield found
    }
    const last = length === 0 ? undefined : take(Buffer.alloc(0))
    if (last !== undefined) yield [last]
  }

  return { lines: lines(), bytesRead: () => bytesRead, digest: () => hash.copy().digest('hex') }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Returns undefined for a blank line. */
function decode(number: number, bytes: Buffer): Line | undefined {
  try {
    const text = decoder.decode(bytes)
    return text.trim() === '' ? undefined : { number, text }
  } catch {
    return { number, text: undefined, problem: 'The line is not valid UTF-8.' }
  }
}
