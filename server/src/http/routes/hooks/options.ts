/** Delivery options of a webhook as parameters and in responses. */
import { z } from 'zod'
import {
  type DeliveryOptions,
  formFieldStyles,
  retryPolicies,
  signatureUrls,
} from '../../../model/delivery-options.ts'

export const deliveryOptions = {
  form_fields: oneOf(formFieldStyles).meta({
    description:
      'Fields of a form, for `request_method` POST: `nested` (`data[sender]`) or `flat` (`sender`). Default: `nested`.',
  }),
  accept_header: z.boolean().meta({
    description:
      'Whether requests have the header `Accept: */*`. A custom `Accept` header replaces it. Default: false.',
  }),
  trace_header: z.boolean().meta({
    description:
      'Whether requests have the header `traceparent`, which continues the trace of the event. A custom `traceparent` header replaces it. Default: false.',
  }),
  signature_url: oneOf(signatureUrls).meta({
    description:
      'URL in the `x-signature` of a GET: as `registered`, or the `complete` URL with its query. Default: `registered`.',
  }),
  retry_policy: oneOf(retryPolicies).meta({
    description:
      'Statuses, attempts and timeout: `standard`, or `original` as in the original service. Default: `standard`.',
  }),
}

type Presented = z.infer<z.ZodObject<typeof deliveryOptions>>

export function presentOptions(options: DeliveryOptions): Presented {
  return {
    form_fields: options.formFields,
    accept_header: options.acceptHeader,
    trace_header: options.traceHeader,
    signature_url: options.signatureUrl,
    retry_policy: options.retryPolicy,
  }
}

/** Returns the options that the input has. */
export function readOptions(input: {
  [Name in keyof Presented]?: Presented[Name] | undefined
}): Partial<DeliveryOptions> {
  return {
    ...(input.form_fields !== undefined && { formFields: input.form_fields }),
    ...(input.accept_header !== undefined && { acceptHeader: input.accept_header }),
    ...(input.trace_header !== undefined && { traceHeader: input.trace_header }),
    ...(input.signature_url !== undefined && { signatureUrl: input.signature_url }),
    ...(input.retry_policy !== undefined && { retryPolicy: input.retry_policy }),
  }
}

function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` })
}
