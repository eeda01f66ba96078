/** Removes the session cookie and the CORS headers of the library from its responses. */
import type { Provider } from 'oidc-provider'
import type { Middleware } from './middleware.ts'

export function cleanResponse(provider: Provider): Middleware {
  const unused = provider.cookieName('session')
  return async (ctx, next) => {
    await next()
    for (const name of ctx.res.getHeaderNames()) if (name.startsWith('access-control-')) ctx.remove(name)
    const cookies = [ctx.res.getHeader('set-cookie') ?? []].flat().map(String)
    if (cookies.length === 0) return
    ctx.remove('set-cookie')
    const remaining = cookies.filter((cookie) => !cookie.startsWith(unused))
    // The page at /connect reads its request at /api/interactions. Each of several requests has its own cookie.
    ctx.res.setHeader(
      'set-cookie',
      remaining.map((cookie) => cookie.replace('; path=/connect/', '; path=/api/interactions/')),
    )
  }
}
