/**
 * Limits brute force on passwords, codes, app secrets, registrations and links. An attempt reserves allowance before any
 * hash, lookup or email.
 *
 * Passwords are counted by the name as typed, never by the login behind it. So alias, email and unknown names behave
 * alike, and no name can reach the bucket of another. A name from one network has the smallest allowance. A whole network
 * and a name from all networks have larger ones. Known callers use only allowances that anonymous callers cannot exhaust:
 * a known browser its own, a known network that of the name from there.
 */
import type { Database } from '../../db/database.ts'
import { networksOf } from '../../model/ip.ts'
import { startInterval } from '../../runtime/every.ts'
import type { Vault } from '../../vault/vault.ts'
import { type Allowance, pruneAttempts } from './attempt-store.ts'
import { createReservations } from './reservations.ts'
import type { CallerTrust } from './caller-trust.ts'

type Check = () => Promise<boolean>

/** Each method throws an ApiError after too many attempts. A check returns whether the attempt was correct. */
export interface LoginThrottle {
  tryPassword: (attempt: { name: string; ip: string; trust: CallerTrust }, check: Check) => Promise<boolean>
  /** A code or a passkey. The caller already has the password or a session, so all unknown browsers share one allowance. */
  tryCode: (attempt: { loginId: number; trust: CallerTrust }, check: Check) => Promise<boolean>
  /** A passkey at sign-in. Nobody can guess a signature, so this only bounds the work for one network. */
  tryPasskey: (
    attempt: { ip: string; device: { loginId: number; deviceId: string } | undefined },
    check: Check,
  ) => Promise<boolean>
  /** The secret of an app. Counted by network only, because app ids are public and could be locked out. */
  tryAppSecret: (ip: string, check: Check) => Promise<boolean>
  /** A password reset link. A known browser has its own allowance. */
  requestLink: (ip: string, device: { loginId: number; deviceId: string } | undefined) => Promise<void>
  /** A registration or a new email. */
  claimEmail: (ip: string) => Promise<void>
  /** A message to an unverified email. */
  mailTo: (email: string, ip: string) => Promise<void>
  /** A switch to another account, which starts a session. */
  switchAccount: (loginId: number) => Promise<void>
  /** The start of a sign-in at an identity provider. Everybody in a large office can start one. */
  startSso: (ip: string) => Promise<void>
  /** An authorization request, which is stored until the user answers. */
  requestAccess: (ip: string) => Promise<void>
  stop: () => Promise<void>
}

const pruneIntervalMs = 60_000
/** Enough to replace a lost email, too few to flood a mailbox. */
const maxMails = 3
/** Factors for a /64, /56 and /48. Larger networks get more, but less than in proportion to their size. */
const widerNetworks = [1, 2, 4]

const tooManyPasswords = 'Too many failed attempts. Retry later, or use an API key.'

export function createLoginThrottle(
  db: Database,
  vault: Vault,
  limit: number,
  onError: (error: unknown) => void,
): LoginThrottle {
  const reservations = createReservations(db)
  const stopPruning = startInterval(pruneIntervalMs, () => pruneAttempts(db), onError)
  const run: typeof reservations.run = (attempt, check) =>
    limit === 0 ? check() : reservations.run(attempt, check)

  /** Encodes the parts as JSON, so that no input can produce the bucket of another. */
  const allowance = (max: number, ...parts: ReadonlyArray<string | number>): Allowance => ({
    bucket: vault.digest(JSON.stringify(parts), 'login-attempts').toString('hex'),
    max,
  })
  const byNetwork = (ip: string, max: number, ...parts: readonly string[]): Allowance[] =>
    networksOf(ip).map((network, index) =>
      allowance(max * (widerNetworks[index] ?? 1), ...parts, 'network', network),
    )
  /** Counts an action that has no correct or wrong result. */
  const spend = async (rejection: string, allowances: readonly Allowance[]): Promise<void> => {
    await run({ allowances, rejection }, async () => false)
  }

  return {
    tryPassword({ name, ip, trust }, check) {
      const typed = name.toLowerCase()
      const rejection = tooManyPasswords
      if (trust.kind === 'session') {
        const parts = trust.ssoAccountId === undefined ? [] : ['sso', trust.ssoAccountId]
        const allowances = [allowance(limit, 'password', 'session', trust.loginId, ...parts)]
        return run({ allowances, rejection }, check)
      }
      if (trust.kind === 'device') {
        const { loginId, deviceId } = trust
        const allowances = [allowance(limit, 'password', 'device', loginId, deviceId)]
        return run({ allowances, rejection }, check)
      }
      const nameFromNetwork = byNetwork(ip, limit, 'password', 'name', typed)
      const wider = [
        ...byNetwork(ip, limit * 5, 'password'),
        allowance(limit * 10, 'password', 'name', typed),
      ]
      return trust.kind === 'network'
        ? run({ allowances: nameFromNetwork, alsoFails: wider, rejection }, check)
        : run({ allowances: [...nameFromNetwork, ...wider], rejection }, check)
    },
    tryCode({ loginId, trust }, check) {
      const from =
        trust.kind === 'device'
          ? ['device', trust.deviceId]
          : [trust.kind === 'session' ? 'session' : 'anywhere']
      const allowances = [allowance(limit, 'code', loginId, ...from)]
      return run({ allowances, rejection: 'Too many failed codes. Retry later.' }, check)
    },
    tryPasskey: ({ ip, device }, check) =>
      run(
        {
          allowances:
            device === undefined
              ? byNetwork(ip, limit * 5, 'passkey')
              : [allowance(limit, 'passkey', 'device', device.loginId, device.deviceId)],
          rejection: 'Too many rejected passkeys. Retry later, or sign in with your password.',
        },
        check,
      ),
    tryAppSecret: (ip, check) =>
      run(
        {
          allowances: byNetwork(ip, limit, 'app secret'),
          rejection:
            'Too many failed attempts to authenticate an app from this network. Check the client secret.',
        },
        check,
      ),
    requestLink: (ip, device) =>
      spend(
        'Too many password reset requests. Check your email, or retry later.',
        device === undefined
          ? byNetwork(ip, limit, 'link')
          : [allowance(maxMails, 'link', 'device', device.loginId, device.deviceId)],
      ),
    claimEmail: (ip) =>
      spend(
        'Too many registrations or email changes from this network. Retry later.',
        byNetwork(ip, limit, 'email'),
      ),
    mailTo: (email, ip) =>
      spend(
        'Too many emails sent to this address. Check your email, or retry later.',
        byNetwork(ip, maxMails, 'mail', email.toLowerCase()),
      ),
    switchAccount: (loginId) =>
      spend('Too many account switches. Retry later.', [allowance(limit * 10, 'switch', loginId)]),
    startSso: (ip) =>
      spend('Too many sign-ins from this network. Retry later.', byNetwork(ip, limit * 50, 'sso')),
    requestAccess: (ip) =>
      spend(
        'Too many authorization requests from this network. Retry later.',
        byNetwork(ip, limit * 50, 'access'),
      ),
    stop: stopPruning,
  }
}
