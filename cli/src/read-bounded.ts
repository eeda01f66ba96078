/** Reads a file that a user names. A large or endless one is an error. */
import { createReadStream } from 'node:fs'
import { CliError, exitCodes } from './errors.ts'

const maxFileBytes = 1024 * 1024

export async function readBounded(path: string): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxFileBytes)
        throw new CliError(`${path} is larger than 1 MB.`, { exitCode: exitCodes.usage })
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new CliError(`${path} cannot be read: ${code}.`, { exitCode: exitCodes.usage })
  }
  return Buffer.concat(chunks).toString()
}
