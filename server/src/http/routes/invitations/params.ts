import { z } from 'zod'

export const invitationToken = z
  .string({ error: 'must be a string' })
  .meta({ description: 'Token from the link in the email.' })
