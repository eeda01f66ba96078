/**
 * Writes the log to standard output. The lines of one event loop tick are written together: a batch of settled
 * deliveries has a line for each. Lines of the current tick are written when the process exits, after an uncaught
 * exception too. Only a killed process loses them.
 * Writes are synchronous, which keeps the order of lines even at exit, but never wait for the reader: standard output
 * is nonblocking for pipes and sockets. What does not fit into them is kept in memory and written later.
 */
import { writeSync } from 'node:fs'
import { hasErrorCode } from './has-error-code.ts'

export interface LogOutput {
  write: (line: string) => void
  /** Writes all lines now and waits for the reader. */
  flushSync: () => void
}

const retryMs = 20
/** A reader that reads nothing for this long at exit does not get the rest. */
const maxExitWaitMs = 5_000

export function createLogOutput(): LogOutput {
  // The stream makes pipes and sockets nonblocking when it is created.
  const { fd } = process.stdout
  let lines = ''
  /** What the reader has not taken yet. */
  let unwritten: Buffer | undefined
  let isExiting = false
  let isClosed = false

  /** Writes as much as fits. */
  function write(): void {
    if (unwritten !== undefined) unwritten = writeSome(unwritten)
    if (unwritten !== undefined || lines === '') return
    const bytes = Buffer.from(lines)
    lines = ''
    unwritten = writeSome(bytes)
  }

  /** Returns the rest. */
  function writeSome(bytes: Buffer): Buffer | undefined {
    if (isClosed) return undefined
    try {
      const written = writeSync(fd, bytes)
      return written === bytes.length ? undefined : bytes.subarray(written)
    } catch (error) {
      if (hasErrorCode(error, 'EAGAIN')) return bytes
      if (!hasErrorCode(error, 'EPIPE')) throw error
      isClosed = true
      return undefined
    }
  }

  function flush(): void {
    // While the reader is behind, the timer writes.
    if (unwritten !== undefined) return
    write()
    retryLater()
  }

  function retryLater(): void {
    if (unwritten === undefined) return
    setTimeout(() => {
      write()
      retryLater()
    }, retryMs)
  }

  function flushSync(): void {
    write()
    let left = unwritten?.length
    for (let waitedMs = 0; unwritten !== undefined && waitedMs < maxExitWaitMs; waitedMs += retryMs) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs)
      write()
      if (unwritten?.length !== left) waitedMs = 0
      left = unwritten?.length
    }
  }

  process.once('exit', () => {
    isExiting = true
    flushSync()
  })
  return {
    write(line) {
      // Runs after all promise reactions of the current tick.
      if (lines === '') process.nextTick(flush)
      lines += line
      if (isExiting) flushSync()
    },
    flushSync,
  }
}
