import { expect, test } from 'vitest'
import { formatMinute } from '../lib/format-clock.ts'
import { describeTypeChange, describeVersion } from './webhook-versions.ts'

test('a restore names the time of the restored version, while it is known', () => {
  const at = '2026-01-02T03:04:00.000Z'
  const version = { change: 'changed' as const, changes: [] }
  expect(describeVersion({ ...version, restored: { version: 3, at } })).toBe(
    `restored the version of ${formatMinute(new Date(at))}`,
  )
  expect(describeVersion({ ...version, restored: { version: 3, at: null } })).toBe(
    'restored an earlier version',
  )
})

test('a change of types lists those added and removed by name', () => {
  const change = { field: 'event_types' as const, from: 'sms_mo, dlr', to: 'sms_mo, voice_call' }
  expect(describeTypeChange(change)).toEqual({ removed: '− Delivery report', added: '+ Inbound call' })
})
