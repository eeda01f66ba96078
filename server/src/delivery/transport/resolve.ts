/**
 * Resolves host names with Hookline's resolver, never with the system's files. All addresses of a name must be
 * allowed, or none is used: a name with a public and a private address is an attack or a mistake. None may be an
 * address of this installation.
 * The recursive resolver follows CNAMEs. A chain longer than any legitimate one is rejected.
 */
import { randomBytes } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLocalDevelopmentIp } from '../../model/ip.ts'
import type { AttemptReason } from '../../model/delivery/outcome.ts'
import { createOwnAddresses } from './own-addresses.ts'
import { createResolverHealth, type LookupResult } from './resolver-health.ts'

export class ResolveError extends Error {
  readonly reason: AttemptReason

  constructor(reason: AttemptReason) {
    super(reason)
    this.reason = reason
  }
}

export type Resolve = (host: string) => Promise<string[]>

export interface NameResolver {
  resolve: Resolve
  /**
   * Resolves the name of this installation, for the few paths of it that receive deliveries. The operator chose the
   * name, so it may be local: `localhost`, or a name with a private address.
   */
  resolveOwn: Resolve
  /** Returns the TXT records of a name; none if there is no such name, or no response. */
  resolveText: (name: string) => Promise<string[]>
  /** Whether the resolver is down: deliveries wait until it responds. */
  isDown: () => boolean
}

/** Observers of the resolver's health. */
export interface ResolverWatch {
  onLookup?: (result: LookupResult) => void
  onChange?: (isDown: boolean) => void
}

interface ResolveOptions extends ResolverWatch {
  /** DNS servers, `ip` or `ip:port`. Empty: those of the system. */
  servers: readonly string[]
  isAllowed: (ip: string) => boolean
  /** Local development: `localhost` resolves to this machine. */
  allowPrivate: boolean
  /** Host names of this installation, and whether their addresses are used by nothing else. */
  installation?: {
    hosts: ReadonlySet<string>
    hasDedicatedAddresses: boolean
  }
}

const timeoutMs = 2_000
const maxAddresses = 16
const maxAliases = 8

/** Error codes of c-ares for a negative response. All others mean no response, or a resolver that refuses to serve. */
const results = new Map<string, LookupResult>([
  ['ENOTFOUND', 'not_found'],
  ['ENODATA', 'not_found'],
  ['EBADNAME', 'not_found'],
  ['ENONAME', 'not_found'],
  ['ESERVFAIL', 'server_failure'],
  ['EBADRESP', 'server_failure'],
  ['EFORMERR', 'server_failure'],
  ['ETIMEOUT', 'timeout'],
])

const now = (): number => performance.now()

export function createResolver(options: ResolveOptions): NameResolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 })
  if (options.servers.length > 0) resolver.setServers(options.servers)
  const health = createResolverHealth({ now, probe, onChange: options.onChange ?? (() => {}) })
  const { installation } = options
  const isOwnAddress = installation?.hasDedicatedAddresses
    ? createOwnAddresses(installation.hosts, lookup, now)
    : async () => false

  /** Looks up a name that does not exist: to say so, the resolver must reach the servers of its zone. */
  async function probe(): Promise<boolean> {
    const name = `${randomBytes(10).toString('hex')}.com`
    const result = await resolver.resolveNs(name).then(() => 'found' as const, resultOf)
    return result === 'found' || result === 'not_found'
  }

  async function lookup(host: string): Promise<string[]> {
    if (!health.isLookupAllowed()) throw new ResolveError('resolver_down')
    health.prepare()
    const responses = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const familyResults = responses.map((response) =>
      response.status === 'fulfilled' ? 'found' : resultOf(response.reason),
    )
    const result = worstOf(familyResults)
    health.record(result)
    options.onLookup?.(result)
    if (result === 'timeout' || result === 'refused' || result === 'server_failure')
      throw new ResolveError((await health.isServiceFault()) ? 'resolver_down' : 'name_not_found')
    return responses.flatMap((response) => (response.status === 'fulfilled' ? response.value : []))
  }

  async function lookupWithAliases(host: string): Promise<string[]> {
    const chain = chainOf(host)
    const addresses = await lookup(host)
    const aliases = await chain
    if (aliases.length > maxAliases) throw new ResolveError('forbidden_address')
    if (aliases.some((alias) => installation?.hosts.has(alias.toLowerCase())))
      throw new ResolveError('own_address')
    return addresses
  }

  /** Returns the CNAME chain. Most names have none. */
  async function chainOf(host: string): Promise<string[]> {
    const aliases: string[] = []
    for (let name = host; aliases.length <= maxAliases;) {
      const [alias] = await resolver.resolveCname(name).catch(() => [])
      if (alias === undefined) break
      aliases.push(alias)
      name = alias
    }
    return aliases
  }

  async function resolve(host: string): Promise<string[]> {
    if (installation?.hosts.has(host) && !options.allowPrivate) throw new ResolveError('own_address')
    const addresses = validateAddresses(await addressesOf(host), options.isAllowed)
    // In local development receivers share loopback with this service.
    if (!options.allowPrivate)
      for (const ip of addresses) if (await isOwnAddress(ip)) throw new ResolveError('own_address')
    return addresses
  }

  async function resolveOwn(host: string): Promise<string[]> {
    const addresses = host === 'localhost' ? ['127.0.0.1'] : isIP(host) ? [host] : await lookup(host)
    return validateAddresses(addresses, (ip) => options.isAllowed(ip) || isLocalDevelopmentIp(ip))
  }

  async function addressesOf(host: string): Promise<string[]> {
    if (isIP(host)) return [host]
    if (options.allowPrivate && host === 'localhost') return ['127.0.0.1']
    return lookupWithAliases(host)
  }

  async function resolveText(name: string): Promise<string[]> {
    const records = await resolver.resolveTxt(name).catch(() => [])
    // A record longer than 255 bytes comes in parts.
    return records.map((parts) => parts.join(''))
  }

  return { resolve, resolveOwn, resolveText, isDown: health.isDown }
}

function validateAddresses(addresses: string[], isAllowed: (ip: string) => boolean): string[] {
  if (addresses.length === 0) throw new ResolveError('name_not_found')
  if (addresses.length > maxAddresses || !addresses.every(isAllowed))
    throw new ResolveError('forbidden_address')
  return addresses
}

function resultOf(error: unknown): LookupResult {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return results.get(code) ?? 'refused'
}

/** Returns the worse result of both address families: a family without a response may hide a private address. */
function worstOf(familyResults: readonly LookupResult[]): LookupResult {
  const order: LookupResult[] = ['refused', 'timeout', 'found', 'server_failure', 'not_found']
  return order.find((result) => familyResults.includes(result)) ?? 'not_found'
}
