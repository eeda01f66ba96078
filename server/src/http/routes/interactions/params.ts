import { z } from 'zod'

export const interactionId = z.string().meta({ description: 'As it stands in the address of the page.' })

export const returnAnswer = z.object({
  return_to: z.string().meta({ description: 'Where the browser goes on.' }),
})
