/** What an adapter must have but the way we use the authorization server never calls. */
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
  throw new Error('the authorization server called what it should not need')
}
