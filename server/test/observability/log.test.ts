/** Tests that the log keeps the order of its lines and loses none when a process ends. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { baseEnv } from '../../../dev/base-env.ts'

const logModule = new URL('../../src/runtime/log.ts', import.meta.url).href

/** Runs a program that has a log, and returns the numbers in its lines. */
async function numbersOf(
  program: string,
  readAfterMs = 0,
): Promise<{ numbers: number[]; code: number | null }> {
  const start = `import { createLog } from ${JSON.stringify(logModule)}; const log = createLog('info');`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', `${start}${program}`], {
    env: baseEnv,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  await setTimeout(readAfterMs)
  const output = await text(child.stdout)
  await exited
  const lines = output.split('\n')
  expect(lines.pop()).toBe('')
  return { numbers: lines.map((line) => JSON.parse(line).number), code: child.exitCode }
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number)
}

const hundred =
  'let number = 0; const write = () => { for (let i = 0; i < 100; i++) log.info({ number: number++ }, "line") };'

test.each([
  ['ends', '', 0],
  ['calls exit', 'process.exit(3)', 3],
  ['throws', 'throw new Error("x")', 1],
  ['rejects', 'Promise.reject(new Error("x"))', 1],
  ['throws in a later tick', 'setTimeout(() => { write(); throw new Error("x") })', 1],
  ['logs while it exits', 'process.on("exit", write); process.exit(3)', 3],
])('a process that %s has written all its lines', async (_how, end, code) => {
  const result = await numbersOf(`${hundred} write(); ${end}`)
  const count = end.includes('write') ? 200 : 100
  expect(result).toEqual({ numbers: upTo(count), code })
})

test('lines keep their order over ticks, promises and timers', async () => {
  const { numbers } = await numbersOf(`${hundred}
    for (let round = 0; round < 50; round++) {
      write()
      if (round % 3 === 0) await undefined
      if (round % 3 === 1) await new Promise(setImmediate)
      if (round % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 2))
    }
    process.exit(0)`)
  expect(numbers).toEqual(upTo(5_000))
})

test.each(upTo(5))('lines keep their order when a process exits between two ticks (%i)', async () => {
  const { numbers } = await numbersOf(`${hundred}
    for (let round = 0; round < 5; round++) {
      write()
      await (round % 2 === 0 ? undefined : new Promise(setImmediate))
    }
    process.exit(0)`)
  expect(numbers).toEqual(upTo(500))
})

test('a slow reader gets all lines in order', async () => {
  const { numbers } = await numbersOf(
    `for (let number = 0; number < 20_000; number++) {
      log.info({ number, text: '例'.repeat(20) }, 'line')
      if (number % 1_000 === 0) await new Promise(setImmediate)
    }
    process.exit(0)`,
    300,
  )
  expect(numbers).toEqual(upTo(20_000))
})

test('a fatal line is written at once, with all lines before it', async () => {
  const { numbers, code } = await numbersOf(
    `${hundred} write(); log.fatal({ number: number++ }, "line"); process.kill(process.pid, "SIGKILL")`,
  )
  expect(code).toBeNull()
  expect(numbers).toEqual(upTo(101))
})

test('a killed process has written the lines of earlier ticks', async () => {
  const { numbers } = await numbersOf(
    `${hundred} write(); setTimeout(() => process.kill(process.pid, "SIGKILL"), 200)`,
  )
  expect(numbers).toEqual(upTo(100))
})

test('a reader that does not read does not stop the process', async () => {
  const program = `import { createLog } from ${JSON.stringify(logModule)}; const log = createLog('info');
    for (let round = 0; round < 100; round++) {
      log.info({ text: 'x'.repeat(10_000) }, 'line')
      await new Promise(setImmediate)
    }
    process.send('alive')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: baseEnv,
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  })
  try {
    expect(await once(child, 'message')).toEqual(['alive', undefined])
  } finally {
    child.kill('SIGKILL')
  }
})
