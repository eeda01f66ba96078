/** Adapter methods that the library requires but never calls in this configuration. */
import type { Adapter } from 'oidc-provider'

export const unused: Adapter = {
  upsert: neverCalled,
  find: neverCalled,
  findByUid: neverCalled,
  findByUserCode: neverCalled,
  consume: neverCalled,
  destroy: neverCalled,
  revokeByGrantId: neverCalled,
}

function neverCalled(): never {
  throw new Error('unexpected adapter call of the authorization server')
}
