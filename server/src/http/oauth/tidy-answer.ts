/** What of the library's answers goes out: no session of its own, no leave for other origins' scripts. */
import type { Provider } from 'oidc-provider'
import type { Middleware } from './middleware.ts'

export function tidyAnswer(provider: Provider): Middleware {
  const unused = provider.cookieName('session')
  return async (ctx, next) => {
    await next()
    for (const name of ctx.res.getHeaderNames()) if (name.startsWith('access-control-')) ctx.remove(name)
    const cookies = [ctx.res.getHeader('set-cookie') ?? []].flat().map(String)
    if (cookies.length === 0) return
    ctx.remove('set-cookie')
    const kept = cookies.filter((cookie) => !cookie.startsWith(unused))
    // The page at /connect asks about its request at /api/interactions; of several at once, each has a cookie of its own.
    ctx.res.setHeader(
      'set-cookie',
      kept.map((cookie) => cookie.replace('; path=/connect/', '; path=/api/interactions/')),
    )
  }
}
