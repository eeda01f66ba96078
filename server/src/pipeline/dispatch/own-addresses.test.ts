import { expect, test } from 'vitest'
import { createOwnAddresses } from './own-addresses.ts'

test('addresses of own names are looked up at first use and every minute; the last known ones stay', async () => {
  let now = 0
  let answer: string[] | undefined = ['198.18.0.1']
  let lookups = 0
  const isOwn = createOwnAddresses(
    ['own.example', '2001:DB8:0::5'],
    async () => {
      lookups++
      if (answer === undefined) throw new Error('no answer')
      return answer
    },
    () => now,
  )
  expect(await isOwn('198.18.0.1')).toBe(true)
  expect(await isOwn('198.18.0.2')).toBe(false)
  expect(await isOwn('2001:db8::5')).toBe(true)
  expect(lookups).toBe(1)

  answer = ['198.18.0.2']
  now = 60_000
  await isOwn('198.18.0.2')
  await expect.poll(() => isOwn('198.18.0.2')).toBe(true)
  expect(await isOwn('198.18.0.1')).toBe(false)

  answer = undefined
  now = 120_000
  await isOwn('198.18.0.2')
  await expect.poll(() => lookups).toBe(3)
  expect(await isOwn('198.18.0.2')).toBe(true)
})
