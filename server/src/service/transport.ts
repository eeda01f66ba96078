/** Creates the HTTP transport to receivers from the settings, for workers and isolated processes alike. */
import type { Config } from '../config.ts'
import { ownHosts } from '../hooks/hook-limits.ts'
import { isLocalDevelopmentIp, isPublicIp } from '../model/ip.ts'
import { isOwnTarget } from '../model/own-targets.ts'
import { createConnections } from '../delivery/transport/connections.ts'
import { createResolver, type NameResolver, type ResolverWatch } from '../delivery/transport/resolve.ts'
import { createSend, type Send } from '../delivery/transport/send.ts'

/** Plain values that can be sent to other processes. */
export interface DispatchSettings {
  dnsServers: readonly string[]
  allowPrivateTargets: boolean
  ownHosts: readonly string[]
  hasDedicatedAddresses: boolean
  /** Origin of this service, for its own targets: the canary and the test receiver. */
  ownOrigin: string
  hasCanary: boolean
}

export interface Dispatch {
  send: Send
  resolver: NameResolver
  close: () => Promise<void>
}

export function readDispatchSettings(config: Config): DispatchSettings {
  return {
    dnsServers: config.dnsServers,
    allowPrivateTargets: config.allowPrivateTargets,
    ownHosts: [...ownHosts(config)],
    hasDedicatedAddresses: config.checkOwnAddresses,
    ownOrigin: config.baseUrl.origin,
    hasCanary: config.canarySeconds > 0,
  }
}

export function createDispatch(
  settings: DispatchSettings,
  now: () => number,
  watch: ResolverWatch = {},
): Dispatch {
  const { dnsServers, allowPrivateTargets, hasDedicatedAddresses, ownOrigin, hasCanary } = settings
  const resolver = createResolver({
    servers: dnsServers,
    allowPrivate: allowPrivateTargets,
    isAllowed: (ip) => isPublicIp(ip) || (allowPrivateTargets && isLocalDevelopmentIp(ip)),
    installation: {
      hosts: new Set(settings.ownHosts),
      hasDedicatedAddresses,
    },
    ...watch,
  })
  const connections = createConnections(resolver.resolve)
  // Separate connections: one to this service must never be reused for another of its paths.
  const ownConnections = createConnections(resolver.resolveOwn)
  const send = createSend(connections, now)
  const sendToOwn = createSend(ownConnections, now)
  return {
    send: (request) =>
      isOwnTarget(request, { origin: ownOrigin, hasCanary }) ? sendToOwn(request) : send(request),
    resolver,
    async close() {
      await Promise.all([connections.close(), ownConnections.close()])
    },
  }
}
