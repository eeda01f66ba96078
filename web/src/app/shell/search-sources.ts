/** Sources of the global search. Sources with direct matches come first. */
import type { LinkProps } from '@tanstack/react-router'
import { queryClient } from '../../api/client.ts'
import { appsQuery } from '../../api/oauth-apps.ts'
import { searchEvents } from '../../api/events.ts'
import { webhooksQuery } from '../../api/webhooks.ts'
import { keysQuery, stateOf } from '../../api/api-keys.ts'
import { isEventId } from '../../lib/event-id.ts'
import { eventTypeText } from '../../messages/event-types.ts'
import { matches } from '../../lib/text-match.ts'
import { healthStateText } from '../../messages/states.ts'
import { formatRelative } from '../../lib/format-time.ts'
import { guideNames, guides } from '../../features/guides/guides.ts'
import { navItems } from './nav-items.ts'

export interface Hit {
  id: string
  title: string
  detail?: string
  link: LinkProps
}

export interface SearchSource {
  title: string
  find: (text: string) => Hit[] | Promise<Hit[]>
}

const minDigits = 3
const maxEvents = 5

/** Message IDs, numbers and foreign IDs contain a digit. Other text is a name. */
function couldBeId(text: string): boolean {
  return text.length >= minDigits && /\d/.test(text) && !/\s/.test(text.replaceAll(/(?<=[+\d]) (?=\d)/g, ''))
}

function isId({ hook }: { hook: { id: number } }, text: string): boolean {
  return String(hook.id) === text
}

function startsWith(title: string, text: string): boolean {
  return title.toLowerCase().startsWith(text.toLowerCase())
}

async function findInEvents(text: string): Promise<Hit[]> {
  if (isEventId(text))
    return [{ id: text, title: 'Event', detail: text, link: { to: '/events/$id', params: { id: text } } }]
  if (!couldBeId(text)) return []
  const found = await searchEvents(text, maxEvents + 1)
  const hits: Hit[] = found.slice(0, maxEvents).map((event) => ({
    id: event.id,
    title: `${eventTypeText(event.type).name} ${event.message_id ?? event.foreign_id ?? ''}`.trim(),
    detail: formatRelative(new Date(event.accepted_at), Date.now()),
    link: { to: '/events/$id', params: { id: event.id } },
  }))
  const all: Hit = {
    id: 'all',
    title: `All events with ${text}`,
    link: { to: '/events', search: { q: text } },
  }
  // A single event comes first. For several, the list is the better result.
  return found.length > 1 ? [all, ...hits] : [...hits, all]
}

export const searchSources: readonly SearchSource[] = [
  {
    title: 'Webhooks',
    find: async (text) =>
      text === ''
        ? []
        : (await queryClient.ensureQueryData(webhooksQuery))
            .filter(({ hook }) => isId({ hook }, text) || matches(text, hook.target_url))
            .toSorted((one, other) => Number(isId(other, text)) - Number(isId(one, text)))
            .map(({ hook, health }) => ({
              id: String(hook.id),
              title: `Webhook ${hook.id}`,
              detail: `${healthStateText[health.state].label} · ${hook.target_url}`,
              link: { to: '/webhooks/$id', params: { id: String(hook.id) } },
            })),
  },
  { title: 'Events', find: findInEvents },
  {
    title: 'Pages',
    find: (text) =>
      [
        ...navItems,
        { title: 'New webhook', to: '/webhooks/new' as const, keywords: 'create register add' },
        { title: 'Replays', to: '/replays' as const, keywords: 'resend retry redeliver' },
        { title: 'Guides', to: '/guides' as const, keywords: 'docs help documentation' },
        { title: 'Payloads', to: '/guides/payloads' as const, keywords: 'guide schema fields sample' },
        { title: 'Audit log', to: '/account/audit' as const, keywords: 'history changes who' },
        {
          title: 'Authorized apps',
          to: '/apps' as const,
          search: { tab: 'access' as const },
          keywords: 'oauth access consent',
        },
      ]
        .filter(({ title, keywords: also }) => matches(text, title, also))
        // Titles that start with the text come first.
        .toSorted((one, other) => Number(startsWith(other.title, text)) - Number(startsWith(one.title, text)))
        .map(({ title, to, ...rest }) => ({ id: title, title, link: { to, ...rest } })),
  },
  {
    title: 'Guides',
    find: (text) =>
      guideNames
        .filter((guide) => matches(text, guides[guide].title, guides[guide].description))
        .map((guide) => ({
          id: guide,
          title: guides[guide].title,
          link: { to: '/guides/$guide', params: { guide } },
        })),
  },
  {
    title: 'API keys',
    find: async (text) =>
      (await queryClient.ensureQueryData(keysQuery))
        .filter(({ name, prefix }) => matches(text, name, prefix))
        .map((key) => ({
          id: String(key.id),
          title: key.name,
          detail: `${key.prefix}… · ${stateOf(key)}`,
          link: { to: '/keys', search: { q: key.prefix } },
        })),
  },
  {
    title: 'Apps',
    find: async (text) =>
      (await queryClient.ensureQueryData(appsQuery))
        .filter(({ name, id }) => matches(text, name, id))
        .map(({ id, name }) => ({ id, title: name, detail: id, link: { to: '/apps/$id', params: { id } } })),
  },
]
