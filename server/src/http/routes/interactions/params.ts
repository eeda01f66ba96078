import { z } from 'zod'

export const interactionId = z
  .string()
  .meta({ description: 'Id of the authorization request, from the URL of the consent page.' })

export const returnedResponse = z.object({
  return_to: z.string().meta({ description: 'URL to redirect the browser to.' }),
})
