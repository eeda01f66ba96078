/**
 * The environment under which one process sees another time, by libfaketime. Timers and deadlines keep the true pace, as on
 * a machine whose clock is wrong: only the wall clock is shifted.
 */
import { existsSync } from 'node:fs'

const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path))

/** `offset` as libfaketime reads it: `+45d`, `-60s`. A file instead can be changed while the process runs. */
export function fakeTime(time: { offset: string } | { file: string }): Record<string, string> {
  if (library === undefined) throw new Error('libfaketime is missing: install the package libfaketime.')
  return {
    LD_PRELOAD: library,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    ...('offset' in time
      ? { FAKETIME: time.offset }
      : { FAKETIME_TIMESTAMP_FILE: time.file, FAKETIME_NO_CACHE: '1' }),
  }
}
