/** A person with a browser, as far as the server can see: the cookie, the page's token, the page's origin. */
import { call, type CallAnswer, type CallOptions } from './call.ts'

export interface SignedIn {
  /** As the browser sends it back. */
  cookie: string
  csrfToken: string
  call: (path: string, options?: CallOptions) => Promise<CallAnswer>
}

export async function signIn(
  url: string,
  { alias, password }: { alias: string; password: string },
  headers: Record<string, string> = {},
): Promise<SignedIn> {
  const answer = await call(`${url}/api/session`, {
    method: 'POST',
    json: { login: alias, password },
    headers: { origin: url, ...headers },
  })
  if (answer.status !== 200) throw new Error(`signing in was answered with ${answer.text}`)
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const csrfToken: string = answer.json.csrf_token
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
