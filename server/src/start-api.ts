/** The api role: the public listener for customers and the internal one for producers and operators. */
import { createApp } from './http/app.ts'
import { createAuthenticate } from './http/authenticate.ts'
import { basicKey } from './http/credentials/basic-key.ts'
import { bearer } from './http/credentials/bearer.ts'
import { headerKey } from './http/credentials/header-key.ts'
import { loginPassword } from './http/credentials/login-password.ts'
import { parameterKey } from './http/credentials/parameter-key.ts'
import { keyVerifier } from './http/credentials/verify-key.ts'
import { closeWithin, graceMs } from './http/listener.ts'
import { createLoginThrottle } from './identity/accounts/login-throttle.ts'
import { createPasswords } from './identity/accounts/passwords.ts'
import { collectUsage } from './identity/keys/usage.ts'
import { type Accept, createAccept } from './pipeline/accept.ts'
import { createTail } from './pipeline/tail.ts'
import { createBacklogQuota } from './pipeline/intake/backlog.ts'
import { systemClock } from './ops/clock.ts'
import { createFreshPublisher } from './stream/publish-fresh.ts'
import type { Foundations } from './foundations.ts'
import { hookRules } from './hook-rules.ts'

export interface ApiRole {
  url: string
  accept: Accept
  stop: () => Promise<void>
}

export async function startApi(
  { config, db, vault, log, warn, stream }: Foundations,
  /** Ports of this process's listeners, for the rule that a webhook must not call us; known once they listen. */
  ownPorts: Set<number>,
): Promise<ApiRole> {
  const passwords = await createPasswords()
  const throttle = createLoginThrottle(db, vault, config.loginAttempts, warn)
  const usage = collectUsage(db, warn)
  const verifyKey = keyVerifier(db, vault)
  const authenticate = createAuthenticate(
    [
      basicKey(verifyKey),
      bearer(),
      headerKey(verifyKey),
      parameterKey(verifyKey),
      loginPassword(db, passwords, throttle),
    ],
    config.credentialsOff,
  )
  const fresh = stream && createFreshPublisher(stream.nats, stream.installation, warn)
  const tail = createTail({ db, clock: systemClock, onError: warn })
  stream?.tailHints.listen(tail.wake)
  const app = await createApp({
    ...config,
    db,
    vault,
    hookRules: hookRules(config, ownPorts),
    tail,
    onHooksChanged: stream?.hints.tell ?? (() => {}),
    authenticate,
    passwords,
    throttle,
    usage,
    log,
  })
  const accept = createAccept({
    db,
    announce(events) {
      fresh?.publish(events)
      stream?.tailHints.tell()
      tail.wake()
    },
    limits: config,
    isOverQuota: createBacklogQuota(db, config.backlogPerAccount, Date.now),
  })
  const url = await app.listen({ host: config.host, port: config.port })
  ownPorts.add(Number(new URL(url).port))
  return {
    url,
    accept,
    async stop() {
      await tail.stop()
      await closeWithin(app, graceMs)
      await usage.stop()
      await throttle.stop()
    },
  }
}
