import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { serialize } from './serialize.ts'

test('a body without a long list equals the output of JSON.stringify', async () => {
  const body = { success: true, code: null, hooks: Array.from({ length: 49 }, () => ({ id: '1' })) }
  expect(await serialize(body)).toEqual(Buffer.from(JSON.stringify(body)))
})

test('a body with long lists equals the output of JSON.stringify, byte for byte', async () => {
  const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.constant(undefined), fc.date())
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), value, { maxKeys: 5 }),
      fc.array(value, { minLength: 50, maxLength: 60 }),
      async (body, list) => {
        const whole = { ...body, list, after: 1 }
        expect(await serialize(whole)).toEqual(Buffer.from(JSON.stringify(whole)))
      },
    ),
    { numRuns: 200 },
  )
})

test('the event loop keeps running while a long list is serialized', async () => {
  const large = { list: Array.from({ length: 2_000 }, (_, n) => ({ n, text: 'x'.repeat(9_000) })) }
  let ticks = 0
  const done = new AbortController()
  const counting = (async () => {
    for (; !done.signal.aborted; ticks++) await setImmediate()
  })()
  await serialize(large)
  done.abort()
  await counting
  expect(ticks).toBeGreaterThan(2)
})
