/** Texts of delivery options. */
import type { DeliveryOptions } from '../api/types.ts'

type Choices<Name extends keyof DeliveryOptions> = Record<DeliveryOptions[Name] & string, string>

export const formFieldsText: Choices<'form_fields'> = {
  nested: 'Nested: data[sender]',
  flat: 'Flat: sender',
}

export const retryPolicyText: Choices<'retry_policy'> = {
  standard: 'Standard',
  original: 'Original service',
}

export const signatureUrlText: Choices<'signature_url'> = {
  registered: 'Registered URL',
  complete: 'Complete URL with query',
}

/** Describes the options that are not at their default. */
export function describeOptions(options: DeliveryOptions): string[] {
  return [
    ...(options.form_fields === 'flat' ? ['Flat form fields'] : []),
    ...(options.retry_policy === 'original' ? ['Retry policy of the original service'] : []),
    ...(options.signature_url === 'complete' ? ['Signed URL with query'] : []),
    ...(options.accept_header ? ['Accept header'] : []),
    ...(options.trace_header ? ['Trace header'] : []),
  ]
}
