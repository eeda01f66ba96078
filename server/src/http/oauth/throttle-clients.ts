/**
 * Limits failed app authentication per network, so that guessing secrets has a cost. Failures never count against the
 * app: its id is public, and an attacker could lock it out.
 */
import type { LoginThrottle } from '../../identity/accounts/login-throttle.ts'
import { ApiError } from '../../model/errors.ts'
import type { Middleware } from './middleware.ts'
import { writeError } from './write-error.ts'

export function throttleClients(throttle: LoginThrottle): Middleware {
  return async (ctx, next) => {
    if (ctx.method !== 'POST') return next()
    try {
      await throttle.tryAppSecret(ctx.ip, async () => {
        await next()
        return ctx.status !== 401
      })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      writeError(ctx, error)
      ctx.body = {
        error: 'temporarily_unavailable',
        error_description: error.message,
      }
    }
  }
}
