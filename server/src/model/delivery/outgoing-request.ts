/** The HTTP request of one attempt. */
export interface OutgoingRequest {
  method: 'GET' | 'POST'
  url: string
  /** Alternating names and values, in the order they are sent. */
  headers: string[]
  body: string
  deadlineMs: number
}
