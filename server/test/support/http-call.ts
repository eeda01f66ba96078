/** A plain HTTP call that returns status, headers, text and JSON of the response. */
export interface CallOptions {
  method?: string
  key?: string
  headers?: Record<string, string>
  form?: Record<string, string>
  json?: unknown
  body?: string | Uint8Array<ArrayBuffer>
}

export interface CallResponse {
  status: number
  headers: Headers
  text: string
  /** The body parsed as JSON; tests compare it as a whole. */
  json: any // eslint-disable-line typescript/no-explicit-any -- the wire is untyped on purpose
}

export async function call(url: string, options: CallOptions = {}): Promise<CallResponse> {
  const { key, form, json, body } = options
  const headers = new Headers(options.headers)
  if (key !== undefined) headers.set('x-api-key', key)
  if (json !== undefined) headers.set('content-type', 'application/json')
  if (form !== undefined) headers.set('content-type', 'application/x-www-form-urlencoded')
  const sent = json !== undefined ? JSON.stringify(json) : form && new URLSearchParams(form).toString()
  const response = await fetch(url, {
    method: options.method ?? 'GET',
    headers,
    redirect: 'manual',
    ...((sent ?? body) !== undefined && { body: sent ?? body ?? '' }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parseOrUndefined(text) }
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
