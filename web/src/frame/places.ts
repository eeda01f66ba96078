/** Where one can go: the navigation, the bar of phones and the search all read this list. */
import { IconApps, IconKey, IconLayoutDashboard, IconUser, type TablerIcon } from '@tabler/icons-react'

export interface Place {
  title: string
  to: '/' | '/keys' | '/apps' | '/account'
  icon: TablerIcon
  /** Other words for which people search. */
  also: string
}

export const places: readonly Place[] = [
  { title: 'Overview', to: '/', icon: IconLayoutDashboard, also: 'start home dashboard' },
  { title: 'API keys', to: '/keys', icon: IconKey, also: 'token credential secret' },
  { title: 'Apps', to: '/apps', icon: IconApps, also: 'oauth client authorization access' },
  {
    title: 'Account',
    to: '/account',
    icon: IconUser,
    also: 'profile password sessions second factor security',
  },
]
