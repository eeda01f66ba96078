import { recordAudit } from '../../../db/audit.ts'
import type { Trx } from '../../../db/database.ts'
import { issueDevice } from '../../../identity/accounts/devices.ts'
import { rememberNetwork } from '../../../identity/accounts/known-networks.ts'
import { csrfTokenOf, endSession, startSession } from '../../../identity/sessions/sessions.ts'
import { deviceCookie } from '../../device-cookie.ts'
import { type ApiParts, Headed, type Origin, type Person } from '../../operation.ts'
import { sessionCookie } from '../../session-cookie.ts'
import { presentSession } from './present.ts'

interface Entrant {
  accountId: number
  loginId: number
  origin: Origin
  /** Who was signed in in this browser until now: a browser has one sign-in. */
  before?: Person | undefined
}

/** Within a transaction: lets somebody in, and answers as the sign-in does once it is committed. */
export async function beginSession(
  { vault }: ApiParts,
  trx: Trx,
  { accountId, loginId, origin, before }: Entrant,
) {
  if (before !== undefined) await endSession(trx, before.loginId, before.id)
  const begun = await startSession(trx, vault, { accountId, loginId, ...origin })
  await recordAudit(trx, {
    accountId,
    actor: `login:${loginId}`,
    action: 'session.start',
    subject: `session:${begun.session.id}`,
    detail: { ip: origin.ip },
  })
  await rememberNetwork(trx, vault, loginId, origin.ip)
  return { ...begun, device: await issueDevice(trx, vault, loginId) }
}

type Begun = Awaited<ReturnType<typeof beginSession>>

export async function presentBegun(parts: ApiParts, { token, session, device }: Begun) {
  return new Headed(await presentSession(parts, session, csrfTokenOf(parts.vault, token)), {
    'set-cookie': [
      sessionCookie(parts.baseUrl, token, session.expiresAt),
      deviceCookie(parts.baseUrl, device),
    ],
  })
}
