/** The parameters of the calls about one webhook. */
import { z } from 'zod'
import { largestId } from '../../../model/hook.ts'

/** From the path. What cannot be an id is the id of nothing. */
const pathId = z
  .string()
  .transform((text) => (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= largestId ? Number(text) : 0))
  .meta({ type: 'integer', minimum: 1, description: 'Id of the webhook.' })

export const byId = z.object({ id: pathId })
