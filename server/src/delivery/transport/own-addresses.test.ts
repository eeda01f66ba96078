import { expect, test } from 'vitest'
import { createOwnAddresses } from './own-addresses.ts'

test('addresses of own names are resolved on first use and every minute, and kept if a lookup fails', async () => {
  let now = 0
  let response: string[] | undefined = ['198.18.0.1']
  let lookups = 0
  const isOwnAddress = createOwnAddresses(
    ['own.example', '2001:DB8:0::5'],
    async () => {
      lookups++
      if (response === undefined) throw new Error('no response')
      return response
    },
    () => now,
  )
  expect(await isOwnAddress('198.18.0.1')).toBe(true)
  expect(await isOwnAddress('198.18.0.2')).toBe(false)
  expect(await isOwnAddress('2001:db8::5')).toBe(true)
  expect(lookups).toBe(1)

  response = ['198.18.0.2']
  now = 60_000
  await isOwnAddress('198.18.0.2')
  await expect.poll(() => isOwnAddress('198.18.0.2')).toBe(true)
  expect(await isOwnAddress('198.18.0.1')).toBe(false)

  response = undefined
  now = 120_000
  await isOwnAddress('198.18.0.2')
  await expect.poll(() => lookups).toBe(3)
  expect(await isOwnAddress('198.18.0.2')).toBe(true)
})
