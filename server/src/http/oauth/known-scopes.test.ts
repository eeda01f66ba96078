import { expect, test } from 'vitest'
import { withKnownScopes } from './known-scopes.ts'

const path = '/oauth/authorize'

test.each([
  ['an unknown scope', 'scope=sms+hooks&state=a%26b', 'scope=hooks&state=a%26b'],
  ['openid', 'scope=openid%20hooks%3Aread', 'scope=hooks%3Aread'],
  ['offline_access', 'scope=hooks+offline_access', 'scope=hooks'],
])('%s is removed', (_what, query, expected) => {
  expect(withKnownScopes(`${path}?${query}`)).toBe(`${path}?${expected}`)
})

test.each([
  ['only known scopes', 'state=%7e&scope=hooks'],
  ['no known scope', 'scope=sms'],
  ['all', 'scope=hooks+all'],
  ['all and an unknown scope', 'scope=hooks+sms+all'],
  ['two scope parameters', 'scope=hooks&scope=sms'],
  ['no scope', 'state=1'],
  ['no query', ''],
])('a URL with %s is unchanged', (_what, query) => {
  const url = query === '' ? path : `${path}?${query}`
  expect(withKnownScopes(url)).toBe(url)
})
