/** Writes status and `Retry-After` of an error to a Koa response. */
import type { ApiError } from '../../model/errors.ts'
import type { Context } from './middleware.ts'

export function writeError(ctx: Context, { status, options }: ApiError): void {
  ctx.status = status
  ctx.set('retry-after', String(options.retryAfterSeconds))
}
