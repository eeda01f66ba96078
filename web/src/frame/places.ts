/** Where one can go: the navigation, the bar of phones and the search all read this list. */
import {
  IconApps,
  IconBolt,
  IconBroadcast,
  IconKey,
  IconLayoutDashboard,
  IconUser,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react'

export interface Place {
  title: string
  to: '/' | '/webhooks' | '/events' | '/live' | '/keys' | '/apps' | '/account'
  icon: TablerIcon
  /** Other words for which people search. */
  also: string
  /** Used less often: on phones it stands behind “More”. */
  isSecondary?: true
}

export const places: readonly Place[] = [
  { title: 'Overview', to: '/', icon: IconLayoutDashboard, also: 'start home dashboard' },
  { title: 'Webhooks', to: '/webhooks', icon: IconWebhook, also: 'hooks addresses targets receivers' },
  { title: 'Events', to: '/events', icon: IconBolt, also: 'deliveries messages attempts log history' },
  { title: 'Live', to: '/live', icon: IconBroadcast, also: 'stream tail now' },
  { title: 'API keys', to: '/keys', icon: IconKey, also: 'token credential secret', isSecondary: true },
  {
    title: 'Apps',
    to: '/apps',
    icon: IconApps,
    also: 'oauth client authorization access',
    isSecondary: true,
  },
  {
    title: 'Account',
    to: '/account',
    icon: IconUser,
    also: 'profile password sessions second factor security',
    isSecondary: true,
  },
]
