/** The guarded door to receivers as the settings have it, the same in workers and in isolated processes. */
import type { Config } from './config.ts'
import { ownHosts, plainHost } from './hook-rules.ts'
import { isLocalDevelopmentIp, isPublicIp } from './model/ip.ts'
import { createConnections } from './pipeline/dispatch/connections.ts'
import { createResolver, type NameResolver, type ResolverWatch } from './pipeline/dispatch/resolve.ts'
import { createSend, type Send } from './pipeline/dispatch/send.ts'

/** Plain values, so that they can be sent to other processes. */
export interface DispatchSettings {
  dnsServers: readonly string[]
  allowPrivateTargets: boolean
  ownHosts: readonly string[]
  areAddressesOwn: boolean
  /** The canary is the one webhook that leads to ourselves. */
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
    areAddressesOwn: config.checkOwnAddresses,
    exemptHost: config.canarySeconds > 0 ? plainHost(config.baseUrl) : null,
  }
}

export function createDispatch(
  settings: DispatchSettings,
  now: () => number,
  watch: ResolverWatch = {},
): Dispatch {
  const { dnsServers, allowPrivateTargets, areAddressesOwn, exemptHost } = settings
  const resolver = createResolver({
    servers: dnsServers,
    allowPrivate: allowPrivateTargets,
    isOpen: (ip) => isPublicIp(ip) || (allowPrivateTargets && isLocalDevelopmentIp(ip)),
    own: {
      hosts: new Set(settings.ownHosts),
      areAddressesOwn,
      isExempt: (host) => host === exemptHost,
    },
    ...watch,
  })
  const connections = createConnections(resolver.resolve)
  return { send: createSend(connections, now), resolver, close: connections.close }
}
