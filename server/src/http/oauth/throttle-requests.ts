/** Limits authorization requests per network, because each is stored until it is answered or expires. */
import type { LoginThrottle } from '../../identity/accounts/login-throttle.ts'
import { routes } from '../../identity/oauth/provider.ts'
import { ApiError } from '../../model/errors.ts'
import { showError } from './error-page.ts'
import type { Middleware } from './middleware.ts'
import { writeError } from './write-error.ts'

export function throttleRequests(throttle: LoginThrottle): Middleware {
  return async (ctx, next) => {
    // The library also accepts the path with a trailing slash.
    if (ctx.path.replace(/\/$/, '') !== routes.authorization) return next()
    try {
      await throttle.requestAccess(ctx.ip)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      writeError(ctx, error)
      return showError(ctx, 'temporarily_unavailable')
    }
    return next()
  }
}
