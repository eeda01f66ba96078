import { z } from 'zod'
import { type Scope, scopes } from '../../../model/caller.ts'
import { openOperation } from '../../operation.ts'

const scopeNames = Object.keys(scopes) as Scope[]

export const readArea = openOperation({
  id: 'readArea',
  group: 'Sign-in',
  summary: 'What the developer area offers',
  description: 'What its pages need to know before anybody is signed in.',
  params: z.object({}),
  answer: z.object({
    area: z.object({
      registration: z.boolean().meta({ description: 'Whether anybody may open an account.' }),
      password_reset: z
        .enum(['mail', 'operator'])
        .meta({ description: 'Who helps whoever forgot the password.' }),
      operator_contact: z.string().nullable(),
      is_signed_in: z.boolean().meta({ description: 'Whether this browser holds a live sign-in.' }),
      scopes: z.array(z.object({ scope: z.enum(scopeNames), words: z.string() })),
    }),
  }),
  failures: [],
  async handle({ selfRegistration, mail, operatorContact }, { person }) {
    return {
      area: {
        registration: selfRegistration,
        password_reset: mail === undefined ? ('operator' as const) : ('mail' as const),
        operator_contact: operatorContact ?? null,
        is_signed_in: person !== undefined,
        scopes: scopeNames.map((scope) => ({ scope, words: scopes[scope] })),
      },
    }
  },
})
