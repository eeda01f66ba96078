/**
 * Returns an environment that shifts the clock of a process with libfaketime. Only the wall clock is shifted. Timers
 * and deadlines are not affected, as on a machine whose clock is wrong.
 */
import { existsSync } from 'node:fs'

const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path))

/**
 * `offset` is in the format of libfaketime: `+45d`, `-60s`. A `file` with the offset can change while the process runs.
 */
export function fakeTime(time: { offset: string } | { file: string }): Record<string, string> {
  if (library === undefined)
    throw new Error('libfaketime is not installed. On Debian: apt-get install libfaketime')
  return {
    LD_PRELOAD: library,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    ...('offset' in time
      ? { FAKETIME: time.offset }
      : { FAKETIME_TIMESTAMP_FILE: time.file, FAKETIME_NO_CACHE: '1' }),
  }
}
