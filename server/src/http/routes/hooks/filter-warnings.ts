/** API representation of warnings about a filter. */
import { z } from 'zod'
import { filterWarningCodes } from '../../../model/filter/filter-warnings.ts'

export const position = z
  .object({ index: z.int().min(0), length: z.int().min(0) })
  .nullable()
  .meta({ description: 'The part of the value at fault, in UTF-16 code units. Null for all of it.' })

export const filterWarningsResponse = z
  .array(z.object({ code: z.enum(filterWarningCodes), message: z.string(), position }))
  .meta({ description: 'Why the filter probably does not match the events that you expect.' })
