/** The api role: the public listener for customers and the internal one for producers and operators. */
import { type Database, openDatabase } from './db/database.ts'
import { createApp } from './http/app.ts'
import { createAuthenticate } from './http/authenticate.ts'
import { basicKey } from './http/credentials/basic-key.ts'
import { bearer } from './http/credentials/bearer.ts'
import { headerKey } from './http/credentials/header-key.ts'
import { loginPassword } from './http/credentials/login-password.ts'
import { parameterKey } from './http/credentials/parameter-key.ts'
import { keyVerifier } from './http/credentials/verify-key.ts'
import { createAccountCalls } from './http/account-calls.ts'
import { createHeavyCalls } from './http/heavy-calls.ts'
import { createRefusedCallers } from './http/refused-callers.ts'
import { closeWithin, graceMs } from './http/listener.ts'
import { renderError } from './http/oauth/error-page.ts'
import type { PasswordParts } from './identity/accounts/authenticate-login.ts'
import { recordFailedLogin } from './identity/accounts/failed-logins.ts'
import { pruneVerifications } from './identity/accounts/email-verifications.ts'
import { pruneNetworks } from './identity/accounts/known-networks.ts'
import { createLoginThrottle } from './identity/accounts/login-throttle.ts'
import { forgetExpiredResets } from './identity/accounts/password-resets.ts'
import { createPasswords } from './identity/accounts/passwords.ts'
import { collectUsage } from './identity/keys/usage.ts'
import { forgetExpired } from './identity/oauth/forget-expired.ts'
import { createProvider } from './identity/oauth/provider.ts'
import { forgetEndedSessions, hasSession } from './identity/sessions/sessions.ts'
import type { Event } from './model/event.ts'
import { createAfterwards } from './ops/afterwards.ts'
import { createIsBusy } from './ops/busy.ts'
import { every } from './ops/every.ts'
import { createMail } from './ops/mail.ts'
import type { ReadinessCheck } from './ops/readiness.ts'
import { type Accept, createAccept } from './pipeline/accept.ts'
import { makePartitions } from './pipeline/ledger/partitions.ts'
import { createTail } from './pipeline/tail.ts'
import { createBacklogQuota } from './pipeline/intake/backlog.ts'
import { createFreshPublisher } from './stream/publish-fresh.ts'
import type { Foundations } from './foundations.ts'
import { hookRules } from './hook-rules.ts'
import { intakeCheck } from './readiness-checks.ts'

export interface ApiRole {
  url: string
  /** Connections that only intake uses: however many calls accounts make, events never wait behind them. */
  intakeDb: Database
  accept: Accept
  readiness: readonly ReadinessCheck[]
  stop: () => Promise<void>
}

const tidyIntervalMs = 10 * 60_000
const forgetIntervalMs = 60_000
const partitionsIntervalMs = 10_000
/** Two for batches of events, one for producers' keys, one for counting what waits. */
const intakeConnections = 4
/** For sign-ins, registrations, resets and OAuth: strangers can make any number of them, and each takes several statements. */
const strangersConnections = 4

export async function startApi(
  { config, db, clock, vault, log, warn, stream }: Foundations,
  /** Ports of this process's listeners, for the rule that a webhook must not call us; known once they listen. */
  ownPorts: Set<number>,
): Promise<ApiRole> {
  const strangersDb = openDatabase(config.databaseUrl, strangersConnections, warn, config)
  const passwords = await createPasswords()
  const isBusy = createIsBusy()
  const throttle = createLoginThrottle(strangersDb, vault, config.loginAttempts, warn)
  const usage = collectUsage(db, warn, clock)
  const afterwards = createAfterwards(warn)
  const onFailedLogin: PasswordParts['onFailedLogin'] = (loginId, ip) =>
    afterwards.run(() => recordFailedLogin(strangersDb, loginId, ip))
  const mail = config.smtpUrl && createMail({ ...config, smtpUrl: config.smtpUrl }, warn)
  // Workers may be down, and the clock may have leaped to a day that has none.
  const stopPartitions = every(partitionsIntervalMs, () => makePartitions(db, clock.now()), warn)
  // Sessions and grants that a wrong clock ended come back with the right one, unless they were deleted meanwhile.
  const ifClockIsRight = (task: () => Promise<void>) => async () => {
    if (clock.isRight()) await task()
  }
  const stopTidying = every(
    tidyIntervalMs,
    ifClockIsRight(() => tidy(db)),
    warn,
  )
  const verifyKey = keyVerifier(db, vault)
  const authenticate = createAuthenticate(
    [
      basicKey(verifyKey),
      bearer(db, vault),
      headerKey(verifyKey),
      parameterKey(verifyKey),
      loginPassword({ db: strangersDb, vault, passwords, throttle, onFailedLogin }),
    ],
    config.credentialsOff,
  )
  const oauth = createProvider({
    db: strangersDb,
    vault,
    baseUrl: config.baseUrl,
    isSignedIn: (loginId, sessionId) => hasSession(strangersDb, loginId, sessionId),
    renderError,
  })
  const stopForgetting = every(
    forgetIntervalMs,
    ifClockIsRight(() => forgetExpired(db)),
    warn,
  )
  const fresh = stream && createFreshPublisher(stream.nats, stream.installation, warn)
  const tail = createTail({ db, clock, onError: warn })
  stream?.tailHints.listen(tail.wake)
  // They are committed: whatever keeps them from being announced must not reach their producer.
  const announce = (events: readonly Event[]): void => {
    try {
      fresh?.publish(events)
      stream?.tailHints.tell()
      tail.wake()
    } catch (error) {
      warn(error)
    }
  }
  const app = await createApp({
    ...config,
    db,
    strangersDb,
    clock,
    vault,
    hookRules: hookRules(config, ownPorts),
    tail,
    announce,
    onHooksChanged: stream?.hints.tell ?? (() => {}),
    authenticate,
    heavyCalls: createHeavyCalls(config.poolSize, isBusy),
    accountCalls: createAccountCalls(isBusy),
    refusedCallers: createRefusedCallers(clock.monotonic),
    passwords,
    throttle,
    onFailedLogin,
    afterwards: afterwards.run,
    mail,
    oauth,
    usage,
    log,
  })
  const intakeDb = openDatabase(config.databaseUrl, intakeConnections, warn, config)
  const accept = createAccept({
    db: intakeDb,
    announce,
    limits: config,
    isOverQuota: createBacklogQuota(intakeDb, config.backlogPerAccount, clock.monotonic),
  })
  const url = await app.listen({ host: config.host, port: config.port })
  ownPorts.add(Number(new URL(url).port))
  return {
    url,
    intakeDb,
    accept,
    readiness: [intakeCheck(db)],
    async stop() {
      await tail.stop()
      await closeWithin(app, graceMs)
      await stopForgetting()
      await stopTidying()
      await stopPartitions()
      await afterwards.stop()
      await mail?.stop()
      await usage.stop()
      await throttle.stop()
      await strangersDb.destroy()
    },
  }
}

/** Sign-ins and links that have run out count for nothing; here they also stop taking room. */
async function tidy(db: Database): Promise<void> {
  await forgetEndedSessions(db)
  await forgetExpiredResets(db)
  await pruneNetworks(db)
  await pruneVerifications(db)
}
