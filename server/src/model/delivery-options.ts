/** Options of a hook for receivers that already exist. The defaults apply to every new hook. */
export const formFieldStyles = ['nested', 'flat'] as const
export const retryPolicies = ['standard', 'original'] as const
export const signatureUrls = ['registered', 'complete'] as const

export type RetryPolicy = (typeof retryPolicies)[number]

export interface DeliveryOptions {
  /** Whether the fields of a form are `data[sender]` or `sender`. */
  formFields: (typeof formFieldStyles)[number]
  /** `original`: retries, statuses and timeout as in the original service. */
  retryPolicy: RetryPolicy
  /** Whether requests have the header `Accept`, unless a custom header sets it. */
  acceptHeader: boolean
  /** Whether requests have the header `traceparent`, unless a custom header sets it. */
  traceHeader: boolean
  /** The URL in the `x-signature` of a GET: as registered, or as called, with its query. */
  signatureUrl: (typeof signatureUrls)[number]
}

/** The options that change requests. */
export type RequestOptions = Omit<DeliveryOptions, 'retryPolicy'>

export const defaultOptions: DeliveryOptions = {
  formFields: 'nested',
  retryPolicy: 'standard',
  acceptHeader: false,
  traceHeader: false,
  signatureUrl: 'registered',
}
