/**
 * How often strangers may try what could work in the end: passwords, codes, app secrets, names, links. An attempt is held
 * against its allowance before anything is hashed, looked up or sent.
 *
 * Passwords are counted by the name as it was typed, never by the login behind it: so alias, email and unknown names
 * behave alike, and no name can reach another's bucket. A name from one network has the smallest allowance, a network and a
 * name from anywhere have wider ones. Who is known is held only against what strangers cannot use up: a known browser
 * against its own allowance, a known network against that name from there.
 */
import type { Database } from '../../db/database.ts'
import { networksOf } from '../../model/ip.ts'
import { every } from '../../ops/every.ts'
import type { Vault } from '../../vault/vault.ts'
import { type Allowance, purgeAttempts } from './attempt-store.ts'
import { createReservations } from './reservations.ts'
import type { Standing } from './standing.ts'

type Check = () => Promise<boolean>

/** Each throws a refusal if there were too many before. A check returns whether the attempt was right. */
export interface LoginThrottle {
  tryPassword: (attempt: { name: string; ip: string; standing: Standing }, check: Check) => Promise<boolean>
  /** A code of the second factor. Whoever tries one has the password already, so strangers share one allowance. */
  tryCode: (attempt: { loginId: number; standing: Standing }, check: Check) => Promise<boolean>
  /** The secret of an app. Only the network counts: app ids are public, so a stranger could lock an app out. */
  tryAppSecret: (ip: string, check: Check) => Promise<boolean>
  /** A mail with a link to a new password. A known browser has its own allowance. */
  askForLink: (ip: string, device: { loginId: number; deviceId: string } | undefined) => Promise<void>
  /** A registration or a new email. */
  claimEmail: (ip: string) => Promise<void>
  /** A mail to an email that somebody says is theirs. */
  mailTo: (email: string, ip: string) => Promise<void>
  /** A request for access that is stored until a person has decided. */
  askForAccess: (ip: string) => Promise<void>
  stop: () => Promise<void>
}

const purgeIntervalMs = 60_000
/** Enough for somebody who mislaid a mail, too few to fill somebody's mailbox. */
const maxMails = 3
/** Of the allowance of a /64: who has a /56 or a /48 gets more, but not as much as they have networks. */
const widerNetworks = [1, 2, 4]

const tooManyPasswords = 'Too many wrong passwords. Wait, or use an API key.'

export function createLoginThrottle(
  db: Database,
  vault: Vault,
  limit: number,
  onError: (error: unknown) => void,
): LoginThrottle {
  const reservations = createReservations(db)
  const stopPurging = every(purgeIntervalMs, () => purgeAttempts(db), onError)
  const run: typeof reservations.run = (attempt, check) =>
    limit === 0 ? check() : reservations.run(attempt, check)

  /** The parts are encoded so that no text in one of them can make it another bucket. */
  const allowance = (max: number, ...parts: ReadonlyArray<string | number>): Allowance => ({
    bucket: vault.digest(JSON.stringify(parts), 'login-attempts').toString('hex'),
    max,
  })
  const byNetwork = (ip: string, max: number, ...parts: readonly string[]): Allowance[] =>
    networksOf(ip).map((network, index) =>
      allowance(max * (widerNetworks[index] ?? 1), ...parts, 'network', network),
    )
  /** Counts what has no right or wrong. */
  const spend = async (tooMany: string, allowances: readonly Allowance[]): Promise<void> => {
    await run({ allowances, tooMany }, async () => false)
  }

  return {
    tryPassword({ name, ip, standing }, check) {
      const typed = name.toLowerCase()
      const tooMany = tooManyPasswords
      if (standing.kind === 'session')
        return run(
          { allowances: [allowance(limit, 'password', 'session', standing.loginId)], tooMany },
          check,
        )
      if (standing.kind === 'device') {
        const { loginId, deviceId } = standing
        const allowances = [allowance(limit, 'password', 'device', loginId, deviceId)]
        return run({ allowances, tooMany }, check)
      }
      const nameFromHere = byNetwork(ip, limit, 'password', 'name', typed)
      const wider = [
        ...byNetwork(ip, limit * 5, 'password'),
        allowance(limit * 10, 'password', 'name', typed),
      ]
      return standing.kind === 'network'
        ? run({ allowances: nameFromHere, alsoFails: wider, tooMany }, check)
        : run({ allowances: [...nameFromHere, ...wider], tooMany }, check)
    },
    tryCode({ loginId, standing }, check) {
      const from =
        standing.kind === 'device'
          ? ['device', standing.deviceId]
          : [standing.kind === 'session' ? 'session' : 'anywhere']
      const allowances = [allowance(limit, 'code', loginId, ...from)]
      return run({ allowances, tooMany: 'Too many wrong codes. Wait a while.' }, check)
    },
    tryAppSecret: (ip, check) =>
      run(
        {
          allowances: byNetwork(ip, limit, 'app secret'),
          tooMany: 'Too many failed attempts to authenticate an app from here.',
        },
        check,
      ),
    askForLink: (ip, device) =>
      spend(
        'Too many links were asked for. Look for the mail, or wait a while.',
        device === undefined
          ? byNetwork(ip, limit, 'link')
          : [allowance(maxMails, 'link', 'device', device.loginId, device.deviceId)],
      ),
    claimEmail: (ip) =>
      spend(
        'Too many registrations or emails were tried from here. Wait a while.',
        byNetwork(ip, limit, 'email'),
      ),
    mailTo: (email, ip) =>
      spend(
        'Too many mails were sent there. Look for one of them, or wait a while.',
        byNetwork(ip, maxMails, 'mail', email.toLowerCase()),
      ),
    askForAccess: (ip) =>
      spend(
        'Too many requests for access came from here. Wait a while.',
        byNetwork(ip, limit * 50, 'access'),
      ),
    stop: stopPurging,
  }
}
