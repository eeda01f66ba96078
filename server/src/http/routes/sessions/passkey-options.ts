import { z } from 'zod'
import { requestOptions } from '../../../identity/passkeys/options.ts'
import { publicOperation } from '../../operation/operation.ts'
import { requestOptionsResponse } from '../passkeys/present.ts'

export const startPasskeySignInOperation = publicOperation({
  id: 'startPasskeySignIn',
  group: 'Authentication',
  summary: 'Start sign-in with a passkey',
  description:
    'Returns the options for `navigator.credentials.get()`. They are for any login: the authenticator offers its passkeys.',
  params: z.object({}),
  response: z.object({ options: requestOptionsResponse }),
  errors: ['csrfFailed'],
  async handle(deps) {
    return { options: await requestOptions(deps, { kind: 'sign-in' }) }
  },
})
