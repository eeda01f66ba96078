/** Caches recently identified callers by the digest of their credentials. */
export interface RecentCallers {
  has: (digest: string) => boolean
  add: (digest: string) => void
}

const defaultMax = 20_000

export function createRecentCallers(max = defaultMax): RecentCallers {
  /** Ordered by last identification, oldest first. */
  const digests = new Set<string>()
  return {
    has: (digest) => digests.has(digest),
    add(digest) {
      digests.delete(digest)
      digests.add(digest)
      const [oldest] = digests
      if (digests.size > max && oldest !== undefined) digests.delete(oldest)
    },
  }
}
