/** Reads inputs that could be large or endless. */
import { createReadStream } from 'node:fs'
import { CliError, exitCodes } from './errors.ts'

const maxFileBytes = 1024 * 1024

/** Returns undefined if the stream has more bytes. */
export async function readAtMost(
  maxBytes: number,
  stream: AsyncIterable<Buffer>,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) return undefined
  }
  return Buffer.concat(chunks)
}

/** Reads a file that a user names. */
export async function readBounded(path: string): Promise<string> {
  const content = await readAtMost(maxFileBytes, createReadStream(path)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === undefined) throw error
      throw new CliError(`${path} cannot be read: ${error.code}.`, { exitCode: exitCodes.usage })
    },
  )
  if (content === undefined) throw new CliError(`${path} is larger than 1 MB.`, { exitCode: exitCodes.usage })
  return content.toString()
}
