#!/usr/bin/env node
/** The command line tool `hookline`. */
import { CommanderError } from 'commander'
import { exitCodes, printError } from './errors.ts'
import { createProgram } from './program.ts'

let isPipeClosed = false
// A reader such as `head` has closed the pipe.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    // A listener commits what it has forwarded.
    if (process.listenerCount('SIGINT') === 0) process.exit(0)
    if (!isPipeClosed) process.emit('SIGINT', 'SIGINT')
    isPipeClosed = true
  })

try {
  await createProgram().parseAsync()
} catch (error) {
  // Commander has printed its error already.
  process.exitCode =
    error instanceof CommanderError ? (error.exitCode === 0 ? 0 : exitCodes.usage) : printError(error)
}
