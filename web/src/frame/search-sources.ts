/** Where the search looks. A source has a name and answers a text with hits; what goes straight to a thing comes first. */
import type { LinkProps } from '@tanstack/react-router'
import { queryClient } from '../api/api.ts'
import { appsQuery } from '../api/apps.ts'
import { findEvents } from '../api/events.ts'
import { hooksQuery } from '../api/hooks.ts'
import { keysQuery, stateOf } from '../api/keys.ts'
import { isEventId } from '../words/event-id.ts'
import { typeWords } from '../words/event-types.ts'
import { matches } from '../words/matches.ts'
import { healthWords } from '../words/states.ts'
import { relativeTime } from '../words/time.ts'
import { places } from './places.ts'

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

const fewestDigits = 3
const fewEvents = 5

/** Message ids, numbers and foreign ids hold a digit; a text without any is the name of something else. */
function couldBeId(text: string): boolean {
  return (
    text.length >= fewestDigits && /\d/.test(text) && !/\s/.test(text.replaceAll(/(?<=[+\d]) (?=\d)/g, ''))
  )
}

function isId({ hook }: { hook: { id: number } }, text: string): boolean {
  return String(hook.id) === text
}

function begins(title: string, text: string): boolean {
  return title.toLowerCase().startsWith(text.toLowerCase())
}

async function findInEvents(text: string): Promise<Hit[]> {
  if (isEventId(text))
    return [{ id: text, title: 'Event', detail: text, link: { to: '/events/$id', params: { id: text } } }]
  if (!couldBeId(text)) return []
  const found = await findEvents(text, fewEvents + 1)
  const hits: Hit[] = found.slice(0, fewEvents).map((event) => ({
    id: event.id,
    title: `${typeWords(event.type).name} ${event.message_id ?? event.foreign_id ?? ''}`.trim(),
    detail: relativeTime(new Date(event.accepted_at), Date.now()),
    link: { to: '/events/$id', params: { id: event.id } },
  }))
  const all: Hit = {
    id: 'all',
    title: `All events with ${text}`,
    link: { to: '/events', search: { q: text } },
  }
  // One event is what was meant; several are seen better in the list.
  return found.length > 1 ? [all, ...hits] : [...hits, all]
}

export const searchSources: readonly SearchSource[] = [
  {
    title: 'Webhooks',
    find: async (text) =>
      text === ''
        ? []
        : (await queryClient.ensureQueryData(hooksQuery))
            .filter(({ hook }) => isId({ hook }, text) || matches(text, hook.target_url))
            .toSorted((one, other) => Number(isId(other, text)) - Number(isId(one, text)))
            .map(({ hook, health }) => ({
              id: String(hook.id),
              title: `Webhook ${hook.id}`,
              detail: `${healthWords[health.state].word} · ${hook.target_url}`,
              link: { to: '/webhooks/$id', params: { id: String(hook.id) } },
            })),
  },
  { title: 'Events', find: findInEvents },
  {
    title: 'Pages',
    find: (text) =>
      [
        ...places,
        { title: 'New webhook', to: '/webhooks/new' as const, also: 'create register add' },
        { title: 'Replays', to: '/replays' as const, also: 'send again resend retry' },
        { title: 'Audit log', to: '/account/audit' as const, also: 'history changes who' },
        {
          title: 'Apps with access',
          to: '/apps' as const,
          search: { tab: 'access' as const },
          also: 'authorized',
        },
      ]
        .filter(({ title, also }) => matches(text, title, also))
        // What is called so comes before what is only like it.
        .toSorted((one, other) => Number(begins(other.title, text)) - Number(begins(one.title, text)))
        .map(({ title, to, ...rest }) => ({ id: title, title, link: { to, ...rest } })),
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
