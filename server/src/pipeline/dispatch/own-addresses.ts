/**
 * The addresses behind the installation's own names, so that a name of a customer which leads to them is noticed: a
 * webhook to ourselves is a loop. Looked up again every minute; while that fails, the last known ones count.
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
  const own = [...hosts].map((host) => ({ host, addresses: isIP(host) ? [host] : [] }))
  let list = listOf(own)
  let refreshAt = Number.NEGATIVE_INFINITY
  let refreshing: Promise<void> | undefined

  async function refresh(): Promise<void> {
    let hasFailed = false
    await Promise.all(
      own.map(async (entry) => {
        if (isIP(entry.host)) return
        await lookup(entry.host).then(
          (addresses) => (entry.addresses = addresses),
          () => (hasFailed = true),
        )
      }),
    )
    list = listOf(own)
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

/** Compares addresses and not their spelling. */
function listOf(own: ReadonlyArray<{ addresses: readonly string[] }>): BlockList {
  const list = new BlockList()
  for (const ip of own.flatMap(({ addresses }) => addresses))
    list.addAddress(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
  return list
}
