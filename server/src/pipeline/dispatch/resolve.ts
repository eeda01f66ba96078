/**
 * Names to addresses, by our own resolver and never by the system's files. Every address of a name must be open to us,
 * or none is used: a name with a public and a private address is an attack or a mistake, and both end here.
 * The recursive resolver follows CNAMEs; a chain that is longer than any honest one is refused.
 */
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Reason } from '../../model/outcome.ts'

export class Unresolved extends Error {
  readonly reason: Reason

  constructor(reason: Reason) {
    super(reason)
    this.reason = reason
  }
}

export type Resolve = (host: string) => Promise<string[]>

interface ResolveOptions {
  /** Servers to ask, `ip` or `ip:port`; none: those of the system. */
  servers: readonly string[]
  isOpen: (ip: string) => boolean
  /** Local development: `localhost` leads to this machine. */
  allowPrivate: boolean
}

const timeoutMs = 2_000
const mostAnswers = 16
/** A resolver that has answered anything lately is up, so a silence then is the name's. */
const recentMs = 10_000
const mostAliases = 8
const nameErrors = new Set([
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'EBADNAME',
  'EBADRESP',
  'ENONAME',
  'EFORMERR',
])

export function createResolve(options: ResolveOptions): Resolve {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 })
  if (options.servers.length > 0) resolver.setServers(options.servers)
  let answeredAt = Number.NEGATIVE_INFINITY

  async function ask(host: string): Promise<string[]> {
    const chain = hasShortChain(host)
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const codes = answers.map((answer) =>
      answer.status === 'fulfilled' ? 'answered' : String((answer.reason as { code?: string }).code),
    )
    if (codes.some((code) => code === 'answered' || nameErrors.has(code))) answeredAt = performance.now()
    // A silent half may hide a private address, so it counts like a failed whole.
    const silent = codes.find((code) => code !== 'answered' && !nameErrors.has(code))
    if (silent !== undefined) {
      const isUp = silent === 'ETIMEOUT' && performance.now() - answeredAt < recentMs
      throw new Unresolved(isUp ? 'name_not_found' : 'resolver_down')
    }
    if (!(await chain)) throw new Unresolved('forbidden_address')
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }

  /** Most names have no alias, and then this answers with the addresses. */
  async function hasShortChain(host: string): Promise<boolean> {
    let name: string | undefined = host
    for (let aliases = 0; aliases <= mostAliases; aliases++) {
      name = await resolver.resolveCname(name).then(
        ([alias]) => alias,
        () => undefined,
      )
      if (name === undefined) return true
    }
    return false
  }

  return async (host) => {
    const addresses = await addressesOf(host)
    if (addresses.length === 0) throw new Unresolved('name_not_found')
    if (addresses.length > mostAnswers || !addresses.every(options.isOpen))
      throw new Unresolved('forbidden_address')
    return addresses
  }

  async function addressesOf(host: string): Promise<string[]> {
    if (isIP(host)) return [host]
    if (options.allowPrivate && host === 'localhost') return ['127.0.0.1']
    return ask(host)
  }
}
