import { expect, test, vi } from 'vitest'
import { createHookCurl, listHooksCurl } from './curl-examples.ts'

vi.stubGlobal('location', { origin: 'https://hookline.example' })

test('examples use the current origin and the key', () => {
  expect(listHooksCurl('hlk_1')).toBe("curl https://hookline.example/api/hooks \\\n  -H 'X-Api-Key: hlk_1'")
  expect(createHookCurl('hlk_1').split(' \\\n  ')).toEqual([
    'curl https://hookline.example/api/hooks',
    "-H 'X-Api-Key: hlk_1'",
    '-d event_type=sms_mo',
    '-d target_url=https://example.com/webhook',
  ])
})
