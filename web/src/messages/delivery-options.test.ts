import { expect, test } from 'vitest'
import { describeOptions } from './delivery-options.ts'

const defaults = {
  form_fields: 'nested',
  retry_policy: 'standard',
  signature_url: 'registered',
  accept_header: false,
  trace_header: false,
} as const

test('only options that are not at their default are described', () => {
  expect(describeOptions(defaults)).toEqual([])
  expect(describeOptions({ ...defaults, accept_header: true })).toEqual(['Accept header'])
  expect(
    describeOptions({
      form_fields: 'flat',
      retry_policy: 'original',
      signature_url: 'complete',
      accept_header: true,
      trace_header: true,
    }),
  ).toEqual([
    'Flat form fields',
    'Retry policy of the original service',
    'Signed URL with query',
    'Accept header',
    'Trace header',
  ])
})
