/** Parameters that several calls share. */
import { z } from 'zod'
import { largestId } from '../../model/hook.ts'

/** Of a row: 31 bits, as all ids are. */
export const id = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, { error: 'must be a positive whole number' })
  .transform(Number)
  .refine((number) => number <= largestId, { error: 'must be a positive whole number' })
  .meta({ type: 'integer', minimum: 1 })

/** What people call something. Not with characters that nobody sees or that turn the text around them. */
export const name = z
  .string({ error: 'must be a text' })
  .trim()
  .regex(/^[^\p{Cc}\u202a-\u202e\u2066-\u2069]{1,100}$/u, { error: 'must be a text of 1 to 100 characters' })

/** An email; what it may hold is judged where it is stored. */
export const email = z.string({ error: 'must be a text' })

export const password = z.string({ error: 'must be a text' })

export const instant = z.iso.datetime()
