/** Maps settings to the limits of the webhook registry. */
import type { HookLimits } from './validate-hook.ts'

interface HookSettings extends HostSettings {
  urlBytes: number
  allowPrivateTargets: boolean
  headerCount: number
  headerNameBytes: number
  headerValueBytes: number
  headersBytes: number
  filterBytes: number
  hooksPerAccount: number
  hookChangesPerMinute: number
  hookChangesPerDay: number
}

interface HostSettings {
  host: string
  baseUrl: URL
  ownHosts: readonly URL[]
}

export function hookLimits(config: HookSettings, ownPorts: ReadonlySet<number>): HookLimits {
  return {
    targetUrl: {
      maxBytes: config.urlBytes,
      allowPrivate: config.allowPrivateTargets,
      ownHosts: ownHosts(config),
      ownPorts,
    },
    headers: {
      maxCount: config.headerCount,
      maxNameBytes: config.headerNameBytes,
      maxValueBytes: config.headerValueBytes,
      maxTotalBytes: config.headersBytes,
    },
    maxFilterBytes: config.filterBytes,
    hooksPerAccount: config.hooksPerAccount,
    changes: { perMinute: config.hookChangesPerMinute, perDay: config.hookChangesPerDay },
  }
}

/** Returns the host names and IP addresses of this installation. */
export function ownHosts(config: HostSettings): ReadonlySet<string> {
  return new Set([config.host, plainHost(config.baseUrl), ...config.ownHosts.map(plainHost)])
}

/** Returns the host without brackets and trailing dot, the form in which target hosts are compared. */
function plainHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
