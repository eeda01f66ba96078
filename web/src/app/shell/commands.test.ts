import { expect, test } from 'vitest'
import { splitCommand } from './commands.ts'

test.each([
  ['disable orders', 'disable', 'orders'],
  ['Orders API test', 'test', 'orders api'],
  ['rot billing', 'rotate', 'billing'],
  ['enable', 'enable', ''],
])('%j is the command %j for %j', (text, action, rest) => {
  expect(splitCommand(text)).toMatchObject({ command: { action }, rest })
})

test.each(['orders', 'di orders', '', 'testing orders'])('%j is no command', (text) => {
  expect(splitCommand(text)).toBeUndefined()
})
