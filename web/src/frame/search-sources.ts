/**
 * Where the search looks. A source has a name and answers a text with hits; what is found elsewhere later (events,
 * messages, numbers) becomes one more source in the list.
 */
import type { LinkProps } from '@tanstack/react-router'
import { queryClient } from '../api/api.ts'
import { appsQuery } from '../api/apps.ts'
import { keysQuery, stateOf } from '../api/keys.ts'
import { matches } from '../words/matches.ts'
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

export const searchSources: readonly SearchSource[] = [
  {
    title: 'Pages',
    find: (text) =>
      [
        ...places,
        { title: 'Audit log', to: '/account/audit' as const, also: 'history changes who' },
        {
          title: 'Apps with access',
          to: '/apps' as const,
          search: { tab: 'access' as const },
          also: 'authorized',
        },
      ]
        .filter(({ title, also }) => matches(text, title, also))
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
