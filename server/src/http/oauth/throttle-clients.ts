/**
 * Guessing apps' secrets is hopeless, but it should not be free either. Failures are counted for the place they come from and
 * never for the app, whose id is public: else a stranger could shut it out.
 */
import type { LoginThrottle } from '../../identity/accounts/login-throttle.ts'
import { Refusal } from '../../model/errors.ts'
import type { Middleware } from './middleware.ts'
import { refuse } from './refuse.ts'

export function throttleClients(throttle: LoginThrottle): Middleware {
  return async (ctx, next) => {
    if (ctx.method !== 'POST') return next()
    try {
      await throttle.tryAppSecret(ctx.ip, async () => {
        await next()
        return ctx.status !== 401
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refuse(ctx, error)
      ctx.body = {
        error: 'temporarily_unavailable',
        error_description: error.message,
      }
    }
  }
}
