/** Parameters of the operations on one webhook. */
import { z } from 'zod'
import { requestMethod, targetUrl } from '../contract/params.ts'
import { pathId } from '../fields.ts'
import { hookTextParams } from './names.ts'
import { deliveryOptions } from './options.ts'
import { typeParams } from './types.ts'

export const byId = z.object({ id: pathId('Id of the webhook.') })

const maxRate = 10_000

/** Everything that a user can set. */
export const hookParams = {
  ...hookTextParams,
  target_url: targetUrl,
  ...typeParams,
  request_method: requestMethod,
  headers: z.string().nullable().meta({ description: 'Null or empty for no headers.' }),
  max_per_second: z
    .int()
    .min(1)
    .max(maxRate, { error: `must be an integer from 1 to ${maxRate}, or null` })
    .nullable()
    .meta({ description: 'Max deliveries per second across all workers. Null for no limit.' }),
  ...deliveryOptions,
}
