import { expect, test } from 'vitest'
import { parseHeaders } from './parse-headers.ts'

test('lines become names and values', () => {
  expect(
    parseHeaders('Content-Type: text/html\r\nLocation: https://example.com:8443/\n\nbroken line'),
  ).toEqual([
    { name: 'Content-Type', value: 'text/html' },
    { name: 'Location', value: 'https://example.com:8443/' },
    { name: 'broken line', value: '' },
  ])
})
