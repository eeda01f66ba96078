/** Every request for access is kept until a person has answered or it is too old, so nobody may bring them without end. */
import type { LoginThrottle } from '../../identity/accounts/login-throttle.ts'
import { routes } from '../../identity/oauth/provider.ts'
import { Refusal } from '../../model/errors.ts'
import { showError } from './error-page.ts'
import type { Middleware } from './middleware.ts'
import { refuse } from './refuse.ts'

export function throttleRequests(throttle: LoginThrottle): Middleware {
  return async (ctx, next) => {
    // The library takes the path with a slash behind it for the same.
    if (ctx.path.replace(/\/$/, '') !== routes.authorization) return next()
    try {
      await throttle.askForAccess(ctx.ip)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refuse(ctx, error)
      return showError(ctx, 'temporarily_unavailable')
    }
    return next()
  }
}
