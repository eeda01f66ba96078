/** A signed-in browser as the server sees it: the cookie, the CSRF token and the origin of the page. */
import { call, type CallResponse, type CallOptions } from './http-call.ts'

export interface SignedIn {
  /** The `Cookie` header value. */
  cookie: string
  csrfToken: string
  call: (path: string, options?: CallOptions) => Promise<CallResponse>
}

export async function signIn(
  url: string,
  { alias, password }: { alias: string; password: string },
  headers: Record<string, string> = {},
): Promise<SignedIn> {
  const response = await call(`${url}/api/session`, {
    method: 'POST',
    json: { login: alias, password },
    headers: { origin: url, ...headers },
  })
  return signedInBy(url, response)
}

/** The browser that got the response of a sign-in. */
export function signedInBy(url: string, response: CallResponse): SignedIn {
  if (response.status !== 200) throw new Error(`sign-in failed: ${response.text}`)
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const csrfToken: string = response.json.csrf_token
  return {
    cookie,
    csrfToken,
    call: (path, options = {}) =>
      call(`${url}${path}`, {
        ...options,
        headers: { cookie, origin: url, 'x-csrf-token': csrfToken, ...options.headers },
      }),
  }
}
