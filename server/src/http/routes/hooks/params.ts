/** Parameters of the operations on one webhook. */
import { z } from 'zod'
import { maxId } from '../../../model/hook.ts'
import { requestMethod, targetUrl } from '../contract/params.ts'
import { hookTextParams } from './names.ts'
import { deliveryOptions } from './options.ts'
import { typeParams } from './types.ts'

/** Path parameter. An invalid id becomes 0, which results in "not found". */
const pathId = z
  .string()
  .transform((text) => (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= maxId ? Number(text) : 0))
  .meta({ type: 'integer', minimum: 1, description: 'Id of the webhook.' })

export const byId = z.object({ id: pathId })

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
