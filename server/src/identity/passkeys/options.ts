/** Options of requests to authenticators. Passkeys are discoverable and always verify the user, so one is two factors. */
import type { Database } from '../../db/database.ts'
import type {
  PasskeyCreationOptions,
  PasskeyDescriptor,
  PasskeyRequestOptions,
  PasskeyTransport,
} from '../../model/passkey.ts'
import { type ChallengePurpose, challengeMinutes, createChallenge } from './challenges.ts'
import type { PasskeyDeps } from './use-passkey.ts'
import { userHandleOf } from './user-handle.ts'
import { algorithms } from './verify-responses.ts'

const timeout = challengeMinutes * 60_000

/** `loginId`: offers only the passkeys of this login. */
export async function requestOptions(
  { db, vault, baseUrl, clock }: PasskeyDeps,
  purpose: ChallengePurpose,
  loginId?: number,
): Promise<PasskeyRequestOptions> {
  return {
    challenge: createChallenge(vault, purpose, clock.now()),
    rpId: baseUrl.hostname,
    timeout,
    userVerification: 'required',
    allowCredentials: loginId === undefined ? [] : await listDescriptors(db, loginId),
  }
}

export async function creationOptions(
  { db, vault, baseUrl, clock }: PasskeyDeps,
  { sessionId, loginId }: { sessionId: number; loginId: number },
): Promise<PasskeyCreationOptions> {
  const { alias } = await db
    .selectFrom('logins')
    .select('alias')
    .where('id', '=', loginId)
    .executeTakeFirstOrThrow()
  return {
    challenge: createChallenge(vault, { kind: 'register', sessionId }, clock.now()),
    rp: { id: baseUrl.hostname, name: `Hookline ${baseUrl.hostname}` },
    user: { id: userHandleOf(vault, loginId), name: alias, displayName: alias },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout,
    attestation: 'none',
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    excludeCredentials: await listDescriptors(db, loginId),
  }
}

async function listDescriptors(db: Database, loginId: number): Promise<PasskeyDescriptor[]> {
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['credentialId', 'transports'])
    .where('loginId', '=', loginId)
    .orderBy('id')
    .execute()
  return passkeys.map(({ credentialId, transports }) => ({
    id: credentialId.toString('base64url'),
    type: 'public-key',
    transports: transports as PasskeyTransport[],
  }))
}
