import { expect, test } from 'vitest'
import { formatBrowser } from './browser.ts'

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${chrome}`, 'Chrome on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/130.0.0.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (Linux; Android 15) ${chrome} OPR/85.0`, 'Opera on Android'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14.7; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox on macOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
    'Safari on iOS',
  ],
  ['Firefox/132.0', 'Firefox'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', 'Unknown browser'],
])('the user agent %j is shown as %j', (userAgent, name) => {
  expect(formatBrowser(userAgent)).toBe(name)
})

test('an unknown user agent is cut to 60 characters', () => {
  expect(formatBrowser('x'.repeat(100))).toBe('x'.repeat(60))
})
