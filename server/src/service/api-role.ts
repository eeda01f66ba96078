/** The api role: serves the API, the dashboard and event intake. */
import type { Database } from '../db/database.ts'
import { createPublicServer } from '../http/public-server.ts'
import { createAuthenticate } from '../http/auth/authenticate.ts'
import { basicKey } from '../http/auth/basic-key.ts'
import { bearer } from '../http/auth/bearer.ts'
import { headerKey } from '../http/auth/header-key.ts'
import { loginPassword } from '../http/auth/login-password.ts'
import { parameterKey } from '../http/auth/parameter-key.ts'
import { keyVerifier } from '../http/auth/verify-key.ts'
import { createAccountLimiters } from '../http/operation/account-limiter.ts'
import { createOpenExports } from '../http/operation/open-exports.ts'
import { createExportLimiter, createQueryLimiter } from '../http/operation/query-limiter.ts'
import { createRecentCallers } from '../http/auth/recent-callers.ts'
import { createRejectedCallers } from '../http/auth/rejected-callers.ts'
import { createUnreadResponses } from '../http/server/unread-responses.ts'
import { listen } from '../http/server/listen.ts'
import { closeWithin, graceMs } from '../http/server/listener.ts'
import { renderError } from '../http/oauth/error-page.ts'
import type { PasswordDeps } from '../identity/accounts/authenticate-login.ts'
import { recordFailedLogin } from '../identity/accounts/failed-logins.ts'
import { pruneNonces } from '../identity/accounts/call-nonces.ts'
import { pruneVerifications } from '../identity/accounts/email-verifications.ts'
import { pruneIdempotencyKeys } from '../identity/accounts/idempotency-keys.ts'
import { pruneNetworks } from '../identity/accounts/known-networks.ts'
import { createLoginThrottle } from '../identity/accounts/login-throttle.ts'
import { pruneInvitations } from '../identity/members/invitations.ts'
import { pruneExpiredResets } from '../identity/accounts/password-resets.ts'
import { createPasswords } from '../identity/accounts/passwords.ts'
import { createImportedKeys } from '../identity/keys/imported-keys.ts'
import { createUsageTracker } from '../identity/keys/usage.ts'
import { pruneExpired } from '../identity/oauth/prune-expired.ts'
import { createProvider } from '../identity/oauth/provider.ts'
import { pruneChallenges } from '../identity/passkeys/challenges.ts'
import { pruneExpiredSessions, hasSession } from '../identity/sessions/sessions.ts'
import { createProviderClient } from '../identity/sso/provider-client.ts'
import { pruneStates } from '../identity/sso/used-states.ts'
import { createBackgroundTasks } from '../runtime/background-tasks.ts'
import { createIsBusy } from '../runtime/busy.ts'
import { startInterval } from '../runtime/every.ts'
import { createMailer } from '../runtime/mail.ts'
import type { ReadinessCheck } from '../runtime/readiness.ts'
import { type Accept, createAccept, type OnCommitted } from '../delivery/accept.ts'
import { createEventPlacer } from '../delivery/place-events.ts'
import type { Worker } from '../delivery/worker.ts'
import { createPartitions } from '../ledger/partitions.ts'
import { createTail } from '../tail/live-tail.ts'
import { createWaitingPolls } from '../consumers/waiting-polls.ts'
import { createBacklogQuota } from '../delivery/intake/backlog-quota.ts'
import { createTargets } from './hand-offs.ts'
import type { Infrastructure } from './infrastructure.ts'
import { hookLimits } from '../hooks/hook-limits.ts'
import { testReceiverUrl } from '../hooks/test-receiver.ts'
import { openPool } from './open-pool.ts'
import { createProviderFetch } from './provider-fetch.ts'
import { createProviderAccess, readDispatchSettings } from './transport.ts'
import { intakeCheck } from './readiness-checks.ts'

export interface ApiRole {
  url: string
  /** Connections reserved for intake, so that API calls never delay events. */
  intakeDb: Database
  accept: Accept
  /** Hands off deliveries to the worker of this process. */
  addWorker: (worker: Worker) => void
  readiness: readonly ReadinessCheck[]
  stop: () => Promise<void>
}

const pruneAuthIntervalMs = 10 * 60_000
const pruneOAuthIntervalMs = 60_000
const partitionsIntervalMs = 10_000
/** Two for batches of events, one for producer keys, one for counting the backlog. */
const intakeConnections = 4
/** For sign-ins, registrations, resets and OAuth. Anonymous clients can send many, and each needs several statements. */
const anonymousConnections = 4

export async function startApiRole(
  infrastructure: Infrastructure,
  /** Ports of this process's listeners, filled once they listen. Webhooks to these ports are rejected. */
  ownPorts: Set<number>,
): Promise<ApiRole> {
  const { config, db, clock, vault, log, warn, tracing, eventTypes, hooks, nats } = infrastructure
  const anonymousDb = openPool(infrastructure, 'anonymous', anonymousConnections)
  const passwords = createPasswords()
  const isBusy = createIsBusy()
  const throttle = createLoginThrottle(anonymousDb, vault, config.loginAttempts, warn)
  const usage = createUsageTracker(db, warn, clock)
  const backgroundTasks = createBackgroundTasks(warn)
  const onFailedLogin: PasswordDeps['onFailedLogin'] = (loginId, ip) =>
    backgroundTasks.run(() => recordFailedLogin(anonymousDb, loginId, ip))
  const mail = config.smtpUrl && createMailer({ ...config, smtpUrl: config.smtpUrl }, warn)
  // Workers can be down, and a clock step can lead to a day without partitions.
  const stopPartitions = startInterval(partitionsIntervalMs, () => createPartitions(db, clock.now()), warn)
  // Pruning waits for a correct clock: a wrong one would delete sessions and grants that are still valid.
  const ifClockIsRight = (task: () => Promise<void>) => async () => {
    if (await clock.isRightNow()) await task()
  }
  const stopPruningAuth = startInterval(
    pruneAuthIntervalMs,
    ifClockIsRight(() => pruneAuth(db)),
    warn,
  )
  const importedKeys = createImportedKeys(anonymousDb, vault)
  const verifyKey = keyVerifier(db, importedKeys)
  const authenticate = createAuthenticate(
    [
      basicKey(verifyKey),
      bearer(db, vault),
      headerKey(verifyKey),
      parameterKey(verifyKey),
      loginPassword({ db: anonymousDb, vault, passwords, throttle, onFailedLogin }),
    ],
    config.credentialsOff,
  )
  const oauth = createProvider({
    db: anonymousDb,
    vault,
    baseUrl: config.baseUrl,
    isSignedIn: (loginId, sessionId) => hasSession(anonymousDb, loginId, sessionId),
    renderError,
  })
  const stopPruningOAuth = startInterval(
    pruneOAuthIntervalMs,
    ifClockIsRight(() => pruneExpired(db)),
    warn,
  )
  const tail = createTail({ db, clock, onError: warn })
  const waitingPolls = createWaitingPolls({ db, clock, onError: warn })
  const wakeReaders = (): void => {
    tail.wake()
    waitingPolls.wake()
  }
  nats?.tailHint.subscribe(wakeReaders)
  let ownWorker: Worker | undefined
  const onCommitted: OnCommitted = ({ isInboxUsed }) => {
    nats?.tailHint.publish()
    wakeReaders()
    if (!isInboxUsed) return
    nats?.inboxHint.publish()
    ownWorker?.wake()
  }
  const onHooksChanged = (accountId: number): void => {
    hooks.invalidate(accountId)
    nats?.hookHints.publish(accountId)
  }
  const limits = hookLimits(config, ownPorts)
  const providerAccess = createProviderAccess(readDispatchSettings(config))
  const app = await createPublicServer({
    ...config,
    providers: createProviderClient({
      vault,
      fetch: createProviderFetch(providerAccess.fetchDocument),
      targetUrl: limits.targetUrl,
      now: clock.now,
    }),
    resolveText: providerAccess.resolveText,
    db,
    anonymousDb,
    clock,
    vault,
    hookLimits: {
      ...limits,
      testReceiverUrl: (accountId) => testReceiverUrl(vault, config.baseUrl, accountId),
    },
    eventTypes,
    tail,
    waitingPolls,
    onCommitted,
    onHooksChanged,
    authenticate,
    importedKeys,
    exportLimiter: createExportLimiter(),
    openExports: createOpenExports(),
    queryLimiter: createQueryLimiter(config.poolSize, isBusy),
    accountLimiters: createAccountLimiters(isBusy),
    rejectedCallers: createRejectedCallers(clock.monotonic),
    recentCallers: createRecentCallers(),
    unreadResponses: createUnreadResponses(),
    passwords,
    throttle,
    onFailedLogin,
    runInBackground: backgroundTasks.run,
    mail,
    oauth,
    usage,
    log,
  })
  const intakeDb = openPool(infrastructure, 'intake', intakeConnections)
  const targets = createTargets(infrastructure, intakeDb)
  const accept = createAccept({
    db: intakeDb,
    onCommitted,
    onError: warn,
    clock,
    room: targets.commitRoom,
    placer: createEventPlacer({
      hooks,
      eventTypes,
      chooseTarget: targets.choose,
      now: clock.monotonic,
      onError: warn,
    }),
    tracing,
    limits: config,
    eventTypes,
    isOverQuota: createBacklogQuota(intakeDb, config.backlogPerAccount, clock.monotonic),
  })
  const { url, stopAccepting } = await listen(app, { host: config.host, port: config.port })
  ownPorts.add(Number(new URL(url).port))
  return {
    url,
    intakeDb,
    accept,
    addWorker(worker) {
      targets.addLocal(worker)
      ownWorker = worker
    },
    readiness: [intakeCheck(db)],
    async stop() {
      await tail.stop()
      await waitingPolls.stop()
      await closeWithin(app, graceMs, stopAccepting)
      await stopPruningOAuth()
      await stopPruningAuth()
      await stopPartitions()
      await backgroundTasks.stop()
      await mail?.stop()
      await usage.stop()
      await throttle.stop()
      await providerAccess.close()
      await anonymousDb.destroy()
    },
  }
}

/** Deletes expired sessions, links, invitations, known networks, nonces, idempotency keys, used challenges and states of sign-ins. They are already invalid, and this frees their space. */
async function pruneAuth(db: Database): Promise<void> {
  await pruneExpiredSessions(db)
  await pruneExpiredResets(db)
  await pruneNetworks(db)
  await pruneVerifications(db)
  await pruneInvitations(db)
  await pruneNonces(db)
  await pruneIdempotencyKeys(db)
  await pruneChallenges(db)
  await pruneStates(db)
}
