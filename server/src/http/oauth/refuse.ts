/** A refusal of ours in the framework of the authorization server: its status, and when to come again. */
import type { Refusal } from '../../model/errors.ts'
import type { Context } from './middleware.ts'

export function refuse(ctx: Context, { status, options }: Refusal): void {
  ctx.status = status
  ctx.set('retry-after', String(options.retryAfterSeconds))
}
