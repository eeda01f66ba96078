/**
 * Detects addresses of this installation behind the host names of webhooks: a webhook to the service itself is a
 * loop. Its own host names are resolved again every minute. While that fails, the last addresses are used.
 */
import { BlockList, isIP } from 'node:net'

export type IsOwnAddress = (ip: string) => Promise<boolean>

const refreshMs = 60_000
const refreshAfterFailureMs = 5_000

export function createOwnAddresses(
  hosts: Iterable<string>,
  lookup: (host: string) => Promise<string[]>,
  now: () => number,
): IsOwnAddress {
  const entries = [...hosts].map((host) => ({ host, addresses: isIP(host) ? [host] : [] }))
  let list = listOf(entries)
  let refreshAt = Number.NEGATIVE_INFINITY
  let refreshing: Promise<void> | undefined

  async function refresh(): Promise<void> {
    let hasFailed = false
    await Promise.all(
      entries.map(async (entry) => {
        if (isIP(entry.host)) return
        await lookup(entry.host).then(
          (addresses) => (entry.addresses = addresses),
          () => (hasFailed = true),
        )
      }),
    )
    list = listOf(entries)
    refreshAt = now() + (hasFailed ? refreshAfterFailureMs : refreshMs)
    refreshing = undefined
  }

  return async (ip) => {
    const isFirst = refreshAt === Number.NEGATIVE_INFINITY
    if (now() >= refreshAt) refreshing ??= refresh()
    if (isFirst) await refreshing
    return list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
  }
}

/** Compares addresses, not their spelling. */
function listOf(entries: ReadonlyArray<{ addresses: readonly string[] }>): BlockList {
  const list = new BlockList()
  for (const ip of entries.flatMap(({ addresses }) => addresses))
    list.addAddress(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
  return list
}
