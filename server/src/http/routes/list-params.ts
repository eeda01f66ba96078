import { z } from 'zod'

const maxLimit = 200

const positiveInteger = z.string().regex(/^[1-9]\d{0,14}$/, { error: 'must be a positive integer' })

/** Parameters of lists by descending id, newest first. */
export function listParams(item: string, items: string, defaultLimit: number) {
  return {
    before: positiveInteger
      .transform(Number)
      .optional()
      .meta({
        type: 'integer',
        minimum: 1,
        description: `Returns only ${items} older than the ${item} with this id.`,
      }),
    limit: positiveInteger
      .transform(Number)
      .refine((limit) => limit <= maxLimit, { error: `must be at most ${maxLimit}` })
      .optional()
      .meta({ type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit }),
  }
}
