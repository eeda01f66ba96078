import { expect, test } from 'vitest'
import { webhookName } from './webhook-name.ts'

test('a webhook is its name, or else its endpoint', () => {
  const endpoint = 'example.com/webhooks'
  expect(webhookName({ name: 'Orders', endpoint })).toBe('Orders')
  expect(webhookName({ name: null, endpoint })).toBe(endpoint)
  expect(webhookName(null)).toBe('Deleted webhook')
})
