/** Responses of authenticators as JSON: what `PublicKeyCredential.toJSON()` and @simplewebauthn/browser return. */
import { z } from 'zod'

const notPasskey = 'must be the JSON of a PublicKeyCredential'

/** base64url with a max length, which bounds what is decoded and stored. */
function base64url(maxLength: number) {
  return z
    .string({ error: notPasskey })
    .max(maxLength, { error: notPasskey })
    .regex(/^[\w-]+$/, { error: notPasskey })
}

/** An id has at most 1,023 bytes. */
const credential = {
  id: base64url(1_364),
  rawId: base64url(1_364),
  type: z.literal('public-key', { error: notPasskey }),
}

export const assertion = z
  .object(
    {
      ...credential,
      response: z.object(
        {
          clientDataJSON: base64url(4_096),
          authenticatorData: base64url(2_048),
          signature: base64url(2_048),
          userHandle: base64url(128).optional(),
        },
        { error: notPasskey },
      ),
    },
    { error: notPasskey },
  )
  .meta({
    id: 'PasskeyAssertion',
    description: 'Response of `navigator.credentials.get()` as JSON. Further fields are ignored.',
  })

export const registration = z
  .object(
    {
      ...credential,
      response: z.object(
        {
          clientDataJSON: base64url(4_096),
          attestationObject: base64url(16_384),
          transports: z
            .array(z.string({ error: notPasskey }).max(32, { error: notPasskey }), { error: notPasskey })
            .max(16, { error: notPasskey })
            .optional(),
        },
        { error: notPasskey },
      ),
    },
    { error: notPasskey },
  )
  .meta({
    id: 'PasskeyRegistration',
    description: 'Response of `navigator.credentials.create()` as JSON. Further fields are ignored.',
  })
