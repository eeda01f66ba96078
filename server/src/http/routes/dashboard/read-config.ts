import { z } from 'zod'
import { type Scope, scopes } from '../../../model/caller.ts'
import { publicOperation } from '../../operation/operation.ts'

const scopeNames = Object.keys(scopes) as Scope[]

export const readDashboardConfigOperation = publicOperation({
  id: 'readDashboardConfig',
  group: 'Authentication',
  summary: 'Read dashboard config',
  description: 'Returns the settings that dashboard pages need before sign-in.',
  params: z.object({}),
  response: z.object({
    config: z.object({
      registration: z.boolean().meta({ description: 'Whether anyone can create an account.' }),
      password_reset: z
        .enum(['mail', 'operator'])
        .meta({ description: 'Whether passwords are reset by email or by the operator.' }),
      operator_contact: z.string().nullable(),
      is_signed_in: z.boolean().meta({ description: 'Whether this browser has a valid session.' }),
      scopes: z.array(z.object({ scope: z.enum(scopeNames), description: z.string() })),
    }),
  }),
  errors: [],
  async handle({ selfRegistration, mail, operatorContact }, { user }) {
    return {
      config: {
        registration: selfRegistration,
        password_reset: mail === undefined ? ('operator' as const) : ('mail' as const),
        operator_contact: operatorContact ?? null,
        is_signed_in: user !== undefined,
        scopes: scopeNames.map((scope) => ({ scope, description: scopes[scope] })),
      },
    }
  },
})
