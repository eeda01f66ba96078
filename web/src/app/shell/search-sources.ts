/** Sources of the command palette. Sources with direct matches come first. */
import type { LinkProps } from '@tanstack/react-router'
import type { Access } from '../../api/access.ts'
import { queryClient } from '../../api/client.ts'
import { appsQuery } from '../../api/oauth-apps.ts'
import { searchEvents } from '../../api/events.ts'
import { findWebhooksQuery, type FoundWebhook } from '../../api/webhooks.ts'
import { keysQuery, stateOf } from '../../api/api-keys.ts'
import { isEventId } from '../../lib/event-id.ts'
import { eventTypeText } from '../../messages/event-types.ts'
import { matches } from '../../lib/text-match.ts'
import { webhookName } from '../../messages/webhook-name.ts'
import { formatRelative } from '../../lib/format-time.ts'
import { guideNames, guides } from '../../features/guides/guides.ts'
import { type Command, splitCommand, type WebhookCommand, webhookCommandsFor } from './commands.ts'
import { navItems } from './nav-items.ts'
import { shortcutsFor } from './shortcuts.ts'

export interface Hit {
  id: string
  title: string
  detail?: string
  /** What Enter does: opens a page or runs a command. */
  target: { link: LinkProps } | { command: Command }
}

export interface SearchSource {
  title: string
  /** Max number of hits to show, if not the usual one. */
  max?: number
  /** Without what the member may not see or do. */
  find: (text: string, access: Access) => Hit[] | Promise<Hit[]>
}

const minDigits = 3
const maxEvents = 5

/** Message IDs, numbers and foreign IDs contain a digit. Other text is a name. */
function couldBeId(text: string): boolean {
  return text.length >= minDigits && /\d/.test(text) && !/\s/.test(text.replaceAll(/(?<=[+\d]) (?=\d)/g, ''))
}

function startsWith(title: string, text: string): boolean {
  return title.toLowerCase().startsWith(text.toLowerCase())
}

async function findInEvents(text: string): Promise<Hit[]> {
  if (isEventId(text))
    return [
      {
        id: text,
        title: 'Event',
        detail: text,
        target: { link: { to: '/events/$id', params: { id: text } } },
      },
    ]
  if (!couldBeId(text)) return []
  const found = await searchEvents(text, maxEvents + 1)
  const hits: Hit[] = found.slice(0, maxEvents).map((event) => ({
    id: event.id,
    title: `${eventTypeText(event.type).name} ${event.message_id ?? event.foreign_id ?? ''}`.trim(),
    detail: formatRelative(new Date(event.accepted_at), Date.now()),
    target: { link: { to: '/events/$id', params: { id: event.id } } },
  }))
  const all: Hit = {
    id: 'all',
    title: `All events with ${text}`,
    target: { link: { to: '/events', search: { q: text } } },
  }
  // A single event comes first. For several, the list is the better result.
  return found.length > 1 ? [all, ...hits] : [...hits, all]
}

function findWebhooks(text: string): Promise<FoundWebhook[]> {
  return queryClient.fetchQuery(findWebhooksQuery(text))
}

async function findWebhookCommands(text: string, access: Access): Promise<Hit[]> {
  const commands = webhookCommandsFor(access)
  if (commands.length === 0) return []
  const split = splitCommand(commands, text)
  if (split !== undefined) {
    const found = (await findWebhooks(split.rest)).filter(split.command.isFor)
    if (found.length > 0) return found.map((webhook) => commandHit(split.command, webhook))
  }
  const [first] = text === '' ? [] : await findWebhooks(text)
  return first === undefined
    ? []
    : commands.filter(({ isFor }) => isFor(first)).map((command) => commandHit(command, first))
}

function commandHit({ action, title }: WebhookCommand, webhook: FoundWebhook): Hit {
  return {
    id: `${action} ${webhook.id}`,
    title: `${title} ${webhookName(webhook)}`,
    ...(webhook.name !== null && { detail: webhook.endpoint }),
    target: { command: { kind: 'webhook', action, id: webhook.id } },
  }
}

interface GeneralCommand {
  title: string
  keywords: string
  target: Hit['target']
}

const generalCommands: readonly GeneralCommand[] = [
  { title: 'Create webhook', keywords: 'new register add', target: { link: { to: '/webhooks/new' } } },
  {
    title: 'Create API key',
    keywords: 'new token add credential',
    target: { link: { to: '/keys', search: { new: true } } },
  },
  { title: 'Use light theme', keywords: 'color mode', target: themeCommand('light') },
  { title: 'Use dark theme', keywords: 'color mode night', target: themeCommand('dark') },
  { title: 'Use system theme', keywords: 'color mode auto', target: themeCommand('auto') },
  { title: 'Show keyboard shortcuts', keywords: 'keys help', target: { command: { kind: 'shortcuts' } } },
  { title: 'Sign out', keywords: 'log out logout leave', target: { command: { kind: 'signOut' } } },
]

function themeCommand(scheme: Extract<Command, { kind: 'theme' }>['scheme']): Hit['target'] {
  return { command: { kind: 'theme', scheme } }
}

/** Keys of the shortcut to a page. */
function keysOf(to: string, access: Access): { detail?: string } {
  const found = shortcutsFor(access).find(({ target }) => 'link' in target && target.link.to === to)
  return found === undefined ? {} : { detail: found.keys.join(' then ') }
}

export const searchSources: readonly SearchSource[] = [
  {
    title: 'Webhooks',
    find: async (text) =>
      text === ''
        ? []
        : (await findWebhooks(text)).map((webhook) => ({
            id: String(webhook.id),
            title: webhookName(webhook),
            detail: `${webhook.enabled ? '' : 'Disabled · '}${webhook.endpoint}`,
            target: { link: { to: '/webhooks/$id', params: { id: String(webhook.id) } } },
          })),
  },
  { title: 'Webhook actions', find: findWebhookCommands },
  { title: 'Events', find: findInEvents },
  {
    title: 'Pages',
    max: 15,
    find: (text, access) =>
      [
        ...navItems,
        {
          title: 'Test receiver',
          to: '/webhooks/test-receiver' as const,
          keywords: 'inspect requests debug bin',
        },
        { title: 'Replays', to: '/replays' as const, keywords: 'resend retry redeliver' },
        { title: 'Guides', to: '/guides' as const, keywords: 'docs help documentation' },
        { title: 'Payloads', to: '/guides/payloads' as const, keywords: 'guide schema fields sample' },
        {
          title: 'Members',
          to: '/account/members' as const,
          keywords: 'team users invite invitation role rights leave',
        },
        { title: 'Notices', to: '/notices' as const, keywords: 'alerts warnings notifications bell' },
        {
          title: 'Notice settings',
          to: '/account/notices' as const,
          keywords: 'emails notifications preferences mute channels slack teams',
        },
        { title: 'Audit log', to: '/account/audit' as const, keywords: 'history changes who' },
        {
          title: 'Authorized apps',
          to: '/apps' as const,
          search: { tab: 'access' as const },
          keywords: 'oauth access consent',
        },
      ]
        .filter(({ title, to, keywords: also }) => access.mayOpen(to) && matches(text, title, also))
        // Titles that start with the text come first.
        .toSorted((one, other) => Number(startsWith(other.title, text)) - Number(startsWith(one.title, text)))
        .map(({ title, to, ...rest }) => ({
          id: title,
          title,
          ...keysOf(to, access),
          target: { link: { to, ...rest } },
        })),
  },
  {
    title: 'API keys',
    find: async (text, { mayCall }) =>
      (text === '' || !mayCall(keysQuery) ? [] : await queryClient.ensureQueryData(keysQuery))
        .filter(({ name, prefix }) => matches(text, name, prefix))
        .map((key) => ({
          id: String(key.id),
          title: key.name,
          detail: `${key.prefix}… · ${stateOf(key)}`,
          target: { link: { to: '/keys', search: { q: key.prefix } } },
        })),
  },
  {
    title: 'Apps',
    find: async (text, { mayCall }) =>
      (text === '' || !mayCall(appsQuery) ? [] : await queryClient.ensureQueryData(appsQuery))
        .filter(({ name, id }) => matches(text, name, id))
        .map(({ id, name }) => ({
          id,
          title: name,
          detail: id,
          target: { link: { to: '/apps/$id', params: { id } } },
        })),
  },
  {
    title: 'Actions',
    find: (text, { mayOpen }) =>
      generalCommands
        .filter(({ target }) => 'command' in target || mayOpen(target.link.to ?? '/'))
        .filter(({ title, keywords }) => matches(text, title, keywords))
        .map(({ title, target }) => ({ id: title, title, target })),
  },
  {
    title: 'Guides',
    find: (text) =>
      guideNames
        .filter((guide) => matches(text, guides[guide].title, guides[guide].description))
        .map((guide) => ({
          id: guide,
          title: guides[guide].title,
          target: { link: { to: '/guides/$guide', params: { guide } } },
        })),
  },
]
