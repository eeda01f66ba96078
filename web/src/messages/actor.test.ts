import { expect, test } from 'vitest'
import { formatActor } from './actor.ts'

test.each([
  ['login:1', 'you'],
  ['login:2', 'user 2'],
  ['key:12', 'key 12'],
  ['app:hla_1', 'app hla_1'],
  ['service', 'Hookline'],
  ['operator', 'operator'],
])('the actor %j is shown as %j', (actor, text) => {
  expect(formatActor(actor, 1)).toBe(text)
})
