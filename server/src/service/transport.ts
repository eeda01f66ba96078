/** Creates the HTTP transport to receivers from the settings, for workers and isolated processes alike. */
import type { Config } from '../config.ts'
import { ownHosts, plainHost } from '../hooks/hook-limits.ts'
import { isLocalDevelopmentIp, isPublicIp } from '../model/ip.ts'
import { createConnections } from '../delivery/transport/connections.ts'
import { createResolver, type NameResolver, type ResolverWatch } from '../delivery/transport/resolve.ts'
import { createSend, type Send } from '../delivery/transport/send.ts'

/** Plain values that can be sent to other processes. */
export interface DispatchSettings {
  dnsServers: readonly string[]
  allowPrivateTargets: boolean
  ownHosts: readonly string[]
  hasDedicatedAddresses: boolean
  /** Host of the canary, the only webhook that can target this service. */
  exemptHost: string | null
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
    exemptHost: config.canarySeconds > 0 ? plainHost(config.baseUrl) : null,
  }
}

export function createDispatch(
  settings: DispatchSettings,
  now: () => number,
  watch: ResolverWatch = {},
): Dispatch {
  const { dnsServers, allowPrivateTargets, hasDedicatedAddresses, exemptHost } = settings
  const resolver = createResolver({
    servers: dnsServers,
    allowPrivate: allowPrivateTargets,
    isAllowed: (ip) => isPublicIp(ip) || (allowPrivateTargets && isLocalDevelopmentIp(ip)),
    installation: {
      hosts: new Set(settings.ownHosts),
      hasDedicatedAddresses,
      isExempt: (host) => host === exemptHost,
    },
    ...watch,
  })
  const connections = createConnections(resolver.resolve)
  return { send: createSend(connections, now), resolver, close: connections.close }
}
