import { z } from 'zod'
import { readSigningSettings } from '../../../hooks/signing-key.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { switchesAt } from './present.ts'

export const readSigningSettingsOperation = scopedOperation('hooks', {
  id: 'readSigningSettings',
  group: 'Signing key',
  role: 'developer',
  summary: 'Get signing settings',
  description: 'Returns whether calls must be signed, and the state of a rotation, without the key.',
  params: z.object({}),
  response: z.object({
    signed_calls_required: z
      .boolean()
      .meta({ description: 'Whether every call with an API credential must be signed.' }),
    switches_at: switchesAt,
  }),
  errors: [],
  async handle({ db }, { caller }) {
    const settings = await readSigningSettings(db, caller.accountId)
    return {
      signed_calls_required: settings.signedCallsRequired,
      switches_at: settings.switchesAt?.toISOString() ?? null,
    }
  },
})
