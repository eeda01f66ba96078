/** Parameters of the operations on one webhook. */
import { z } from 'zod'
import { maxId } from '../../../model/hook.ts'

/** Path parameter. An invalid id becomes 0, which results in "not found". */
const pathId = z
  .string()
  .transform((text) => (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= maxId ? Number(text) : 0))
  .meta({ type: 'integer', minimum: 1, description: 'Id of the webhook.' })

export const byId = z.object({ id: pathId })
