/** The guides: pages of `docs/` that are shown in the dashboard. */
import type { Guide } from '../../lib/guide.ts'

interface GuideEntry {
  /** Short, for tabs and lists. */
  title: string
  description: string
  load: () => Promise<{ default: Guide }>
}

export const guides = {
  delivery: {
    title: 'Requests',
    description: 'Formats, headers and size limits of the requests that your server receives.',
    load: () => import('../../../../docs/delivery.md?guide'),
  },
  signatures: {
    title: 'Signatures',
    description: 'Verify that a request comes from Hookline, in Node, Python, PHP, Go, Java and Ruby.',
    load: () => import('../../../../docs/signatures.md?guide'),
  },
  retries: {
    title: 'Retries',
    description: 'What counts as a success, when Hookline tries again, and when it stops.',
    load: () => import('../../../../docs/retries.md?guide'),
  },
  filters: {
    title: 'Filters',
    description: 'Receive only some events: by number, or by an expression over any field.',
    load: () => import('../../../../docs/filters.md?guide'),
  },
  webhooks: {
    title: 'Management',
    description: 'Health, editing, delivery options, deliveries on hold, test events, secrets and previews.',
    load: () => import('../../../../docs/webhooks.md?guide'),
  },
  oauth: {
    title: 'OAuth apps',
    description: 'Act for other accounts: request authorization, get tokens, refresh and revoke them.',
    load: () => import('../../../../docs/oauth.md?guide'),
  },
} satisfies Record<string, GuideEntry>

export type GuideName = keyof typeof guides

export const guideNames = Object.keys(guides) as GuideName[]

export function findGuide(name: string): GuideName | undefined {
  return guideNames.find((known) => known === name)
}
