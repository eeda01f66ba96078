/** What the settings say about webhooks, as the registry takes it. */
import type { Config } from './config.ts'
import type { HookRules } from './hooks/judge-hook.ts'

export function hookRules(config: Config, ownPorts: ReadonlySet<number>): HookRules {
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

/** Names and addresses of this installation. */
export function ownHosts(config: Config): ReadonlySet<string> {
  return new Set([config.host, plainHost(config.baseUrl), ...config.ownHosts.map(plainHost)])
}

/** As addresses of webhooks are compared with it: without brackets and without the dot at the end. */
export function plainHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
