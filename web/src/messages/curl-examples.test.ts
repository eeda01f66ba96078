import { expect, test, vi } from 'vitest'
import { listHooksCurl } from './curl-examples.ts'

vi.stubGlobal('location', { origin: 'https://hookline.example' })

test('examples use the current origin and the key', () => {
  expect(listHooksCurl('hlk_1')).toBe("curl https://hookline.example/api/hooks \\\n  -H 'X-Api-Key: hlk_1'")
})
