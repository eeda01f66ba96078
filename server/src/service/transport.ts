/**
 * Creates the HTTP transport to receivers from the settings, for workers and isolated processes alike, and that to identity
 * providers, for the api role.
 */
import type { Config } from '../config.ts'
import { ownHosts } from '../hooks/hook-limits.ts'
import { isLocalDevelopmentIp, isPublicIp } from '../model/ip.ts'
import { isOwnTarget } from '../model/own-targets.ts'
import { createConnections } from '../delivery/transport/connections.ts'
import { createFetchDocument, type FetchDocument } from '../delivery/transport/fetch-document.ts'
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
  const { ownOrigin, hasCanary } = settings
  const resolver = openResolver(settings, watch)
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

/** What the api role needs to talk to identity providers. */
export interface ProviderAccess {
  fetchDocument: FetchDocument
  resolveText: NameResolver['resolveText']
  close: () => Promise<void>
}

export function createProviderAccess(settings: DispatchSettings): ProviderAccess {
  const resolver = openResolver(settings)
  const connections = createConnections(resolver.resolve)
  return {
    fetchDocument: createFetchDocument(connections),
    resolveText: resolver.resolveText,
    close: connections.close,
  }
}

function openResolver(
  { dnsServers, allowPrivateTargets, hasDedicatedAddresses, ownHosts: hosts }: DispatchSettings,
  watch: ResolverWatch = {},
): NameResolver {
  return createResolver({
    servers: dnsServers,
    allowPrivate: allowPrivateTargets,
    isAllowed: (ip) => isPublicIp(ip) || (allowPrivateTargets && isLocalDevelopmentIp(ip)),
    installation: { hosts: new Set(hosts), hasDedicatedAddresses },
    ...watch,
  })
}
