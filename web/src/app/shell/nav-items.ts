/** Main pages, for the sidebar, the phone tab bar and the global search. */
import {
  IconApps,
  IconBolt,
  IconKey,
  IconLayoutDashboard,
  IconUser,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react'

export interface NavItem {
  title: string
  to: '/' | '/webhooks' | '/events' | '/keys' | '/apps' | '/account'
  icon: TablerIcon
  /** Additional search terms. */
  keywords: string
  /** On phones, shown under “More”. */
  isSecondary?: true
}

export const navItems: readonly NavItem[] = [
  { title: 'Overview', to: '/', icon: IconLayoutDashboard, keywords: 'start home dashboard' },
  { title: 'Webhooks', to: '/webhooks', icon: IconWebhook, keywords: 'hooks endpoints targets receivers' },
  {
    title: 'Events',
    to: '/events',
    icon: IconBolt,
    keywords: 'deliveries messages attempts log history live stream tail now export download csv',
  },
  { title: 'API keys', to: '/keys', icon: IconKey, keywords: 'token credential secret', isSecondary: true },
  {
    title: 'Apps',
    to: '/apps',
    icon: IconApps,
    keywords: 'oauth client authorization access',
    isSecondary: true,
  },
  {
    title: 'Account',
    to: '/account',
    icon: IconUser,
    keywords: 'profile password sessions two-factor 2fa security members single sign-on sso',
    isSecondary: true,
  },
]
