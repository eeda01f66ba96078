/**
 * Names to addresses, by our own resolver and never by the system's files. Every address of a name must be open to us,
 * or none is used: a name with a public and a private address is an attack or a mistake, and both end here. Nor may any of
 * them be our own.
 * The recursive resolver follows CNAMEs; a chain that is longer than any honest one is refused.
 */
import { randomBytes } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Reason } from '../../model/outcome.ts'
import { createOwnAddresses } from './own-addresses.ts'
import { createResolverHealth, type LookupResult } from './resolver-health.ts'

export class Unresolved extends Error {
  readonly reason: Reason

  constructor(reason: Reason) {
    super(reason)
    this.reason = reason
  }
}

export type Resolve = (host: string) => Promise<string[]>

export interface NameResolver {
  resolve: Resolve
  /** Our resolver does not answer: deliveries wait until it does. */
  isDown: () => boolean
}

/** Who is told how the resolver is doing. */
export interface ResolverWatch {
  onLookup?: (result: LookupResult) => void
  onChange?: (isDown: boolean) => void
}

interface ResolveOptions extends ResolverWatch {
  /** Servers to ask, `ip` or `ip:port`; none: those of the system. */
  servers: readonly string[]
  isOpen: (ip: string) => boolean
  /** Local development: `localhost` leads to this machine. */
  allowPrivate: boolean
  /** Names of this installation, and whether addresses behind them are nobody else's. */
  own?: { hosts: ReadonlySet<string>; areAddressesOwn: boolean; isExempt: (host: string) => boolean }
}

const timeoutMs = 2_000
const mostAnswers = 16
const mostAliases = 8

/** What c-ares calls an answer that says no. The rest are silence, or a resolver that refuses to work for us. */
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
  const { own } = options
  const isOwnAddress = own?.areAddressesOwn ? createOwnAddresses(own.hosts, lookup, now) : async () => false

  /** A name that nobody has: to say so, the resolver must reach the servers of its zone. */
  async function probe(): Promise<boolean> {
    const name = `${randomBytes(10).toString('hex')}.com`
    const result = await resolver.resolveNs(name).then(() => 'found' as const, resultOf)
    return result === 'found' || result === 'not_found'
  }

  async function lookup(host: string): Promise<string[]> {
    if (!health.mayAsk()) throw new Unresolved('resolver_down')
    health.prepare()
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const halves = answers.map((answer) =>
      answer.status === 'fulfilled' ? 'found' : resultOf(answer.reason),
    )
    const result = worstOf(halves)
    health.note(result)
    options.onLookup?.(result)
    if (result === 'timeout' || result === 'refused' || result === 'server_failure')
      throw new Unresolved((await health.isOurs()) ? 'resolver_down' : 'name_not_found')
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }

  async function ask(host: string): Promise<string[]> {
    const chain = chainOf(host)
    const addresses = await lookup(host)
    const aliases = await chain
    if (aliases.length > mostAliases) throw new Unresolved('forbidden_address')
    if (aliases.some((alias) => own?.hosts.has(alias.toLowerCase()))) throw new Unresolved('own_address')
    return addresses
  }

  /** Most names have no alias, and then this answers with the addresses. */
  async function chainOf(host: string): Promise<string[]> {
    const aliases: string[] = []
    for (let name = host; aliases.length <= mostAliases;) {
      const [alias] = await resolver.resolveCname(name).catch(() => [])
      if (alias === undefined) break
      aliases.push(alias)
      name = alias
    }
    return aliases
  }

  async function resolve(host: string): Promise<string[]> {
    const isExempt = own?.isExempt(host) ?? false
    if (own?.hosts.has(host) && !isExempt && !options.allowPrivate) throw new Unresolved('own_address')
    const addresses = await addressesOf(host)
    if (addresses.length === 0) throw new Unresolved('name_not_found')
    if (addresses.length > mostAnswers || !addresses.every(options.isOpen))
      throw new Unresolved('forbidden_address')
    // In local development receivers share loopback with us.
    if (!isExempt && !options.allowPrivate)
      for (const ip of addresses) if (await isOwnAddress(ip)) throw new Unresolved('own_address')
    return addresses
  }

  async function addressesOf(host: string): Promise<string[]> {
    if (isIP(host)) return [host]
    if (options.allowPrivate && host === 'localhost') return ['127.0.0.1']
    return ask(host)
  }

  return { resolve, isDown: health.isDown }
}

function resultOf(error: unknown): LookupResult {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return results.get(code) ?? 'refused'
}

/** Of both families: a silent one may hide a private address, so it counts more than an answer of the other. */
function worstOf(halves: readonly LookupResult[]): LookupResult {
  const order: LookupResult[] = ['refused', 'timeout', 'found', 'server_failure', 'not_found']
  return order.find((result) => halves.includes(result)) ?? 'not_found'
}
