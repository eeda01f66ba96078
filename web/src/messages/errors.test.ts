import { ApiError } from '@hookline/client'
import { expect, test } from 'vitest'
import { describeError, findErrorField } from './errors.ts'

function apiError(status: number, message = 'Invalid name.'): ApiError {
  return new ApiError(message, { status, requestId: 'r-1' })
}

test.each([
  [new TypeError('error loading dynamically imported module'), 'Page failed to load'],
  [new Error('x is not a function'), 'Something went wrong'],
  [apiError(0), 'Hookline is unreachable'],
  [apiError(503), 'Hookline is temporarily unavailable'],
  [apiError(500), 'Internal error'],
  [apiError(429), 'Too many requests'],
  [apiError(400), 'Invalid name.'],
  [new ApiError('CSRF check failed.', { status: 403, code: 909 }), 'This page is out of date'],
])('%s has a title', (error, title) => {
  expect(describeError(error, false).title).toBe(title)
})

test('a failed change says whether it took effect', () => {
  expect(describeError(apiError(0), true).hint).toMatch(/^Your change may not be saved\./)
  expect(describeError(apiError(0), false).hint).toMatch(/^Nothing was changed\./)
  expect(describeError(apiError(500), true).hint).toMatch(/^Your input is preserved\./)
})

test.each([
  [1200, '30', 'Your account made too many requests in this minute. Wait 30 seconds.'],
  [1207, '300', 'Too many searches run at the same time. Wait 5 minutes.'],
  [1205, undefined, 'Too many live views are open. Close one first.'],
] as const)('error %d with Retry-After %j has the hint %j', (code, retryAfter, hint) => {
  const details = { status: 429, code, ...(retryAfter !== undefined && { retryAfter }) }
  expect(describeError(new ApiError('Retry after the time in Retry-After.', details), true).hint).toBe(hint)
})

test('only server and client errors include the request ID', () => {
  expect(describeError(apiError(500), true).requestId).toBe('r-1')
  expect(describeError(apiError(0), true).requestId).toBeUndefined()
})

function errorAt(field: string): ApiError {
  return new ApiError('Invalid.', { status: 400, field })
}

test('an error with a parameter maps to its form field', () => {
  const fields = { allowed_ips: 'ips', name: 'name' }
  expect(findErrorField(errorAt('allowed_ips'), fields)).toBe('ips')
  expect(findErrorField(errorAt('scopes'), fields)).toBeUndefined()
  expect(findErrorField(apiError(400, 'Invalid name.'), fields)).toBeUndefined()
  expect(findErrorField(new Error('name'), fields)).toBeUndefined()
})

test.each([
  [1020, 'targetUrl'],
  [1021, 'headers'],
  [1022, 'filter'],
  [1103, undefined],
] as const)('error %d of the contract maps to the form field %j', (code, field) => {
  const fields = { target_url: 'targetUrl', headers: 'headers', event_filter: 'filter' }
  expect(findErrorField(new ApiError('Invalid.', { status: 400, code }), fields)).toBe(field)
})
