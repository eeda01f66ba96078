/** The HTTP request of one attempt. */
export interface OutgoingRequest {
  /** The account of the webhook, which decides about targets of this service. */
  accountId: number
  method: 'GET' | 'POST'
  url: string
  /** Alternating names and values, in the order they are sent. */
  headers: string[]
  body: string
  deadlineMs: number
}
