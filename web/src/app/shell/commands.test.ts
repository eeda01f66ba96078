import { expect, test } from 'vitest'
import { splitCommand, webhookCommandsFor } from './commands.ts'

const all = webhookCommandsFor({ hasRole: () => true })

test.each([
  ['disable orders', 'disable', 'orders'],
  ['Orders API test', 'test', 'orders api'],
  ['rot billing', 'rotate', 'billing'],
  ['enable', 'enable', ''],
])('%j is the command %j for %j', (text, action, rest) => {
  expect(splitCommand(all, text)).toMatchObject({ command: { action }, rest })
})

test.each(['orders', 'di orders', '', 'testing orders'])('%j is no command', (text) => {
  expect(splitCommand(all, text)).toBeUndefined()
})

test('a command above the role is no command', () => {
  const some = webhookCommandsFor({ hasRole: (role) => role === 'support' })
  expect(splitCommand(some, 'disable orders')).toBeUndefined()
  expect(splitCommand(some, 'test orders')).toMatchObject({ command: { action: 'test' } })
})
