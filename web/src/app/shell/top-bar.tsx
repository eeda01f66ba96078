/** Top bar: breadcrumb, search, theme and account menus. */
import { useMantineColorScheme } from '@mantine/core'
import { IconSearch, IconSun } from '@tabler/icons-react'
import { useMatches } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../lib/load-chunk.ts'
import { Mark } from '../../ui/layout/mark.tsx'
import { MenuButton } from '../../ui/layout/menu-button.tsx'
import menu from './menu.module.css'
import menuButton from '../../ui/layout/menu-button.module.css'
import { useSession } from '../../features/auth/session-context.ts'
import type { Command } from './commands.ts'
import { NoticesBell } from './notices-bell.tsx'
import { themes } from './themes.ts'
import { useShortcuts } from './use-shortcuts.ts'
import styles from './top-bar.module.css'

const loadSearch = () => import('./global-search.tsx')
const GlobalSearch = lazyPart(async () => (await loadSearch()).GlobalSearch)
const RunCommand = lazyPart(async () => (await import('./run-command.tsx')).RunCommand)

export function TopBar() {
  const { account, login } = useSession()
  const { colorScheme } = useMantineColorScheme()
  const ThemeIcon = themes.find(({ scheme }) => scheme === colorScheme)?.icon ?? IconSun
  const breadcrumb = useMatches().flatMap(({ staticData }) => staticData.title ?? [])
  const [isSearching, setSearching] = useState(false)
  const [command, setCommand] = useState<Command | null>(null)
  useShortcuts((dialog) => (dialog === 'search' ? setSearching(true) : setCommand({ kind: 'shortcuts' })))
  return (
    <header className={styles.bar}>
      <div className={styles.mark}>
        <Mark size={20} />
      </div>
      <ol className={styles.breadcrumb} aria-label="Breadcrumb">
        <li className={styles.account} title={account.name}>
          <bdi>{account.name}</bdi>
        </li>
        {breadcrumb.map((title) => (
          <li key={title}>{title}</li>
        ))}
      </ol>
      <button
        className={styles.search}
        type="button"
        onClick={() => setSearching(true)}
        onFocus={() => void loadSearch()}
        onPointerEnter={() => void loadSearch()}
        aria-keyshortcuts="Control+K /"
      >
        <IconSearch size={16} stroke={1.75} aria-hidden="true" />
        <span className={styles.searchTerm}>Search</span>
        <kbd className={styles.shortcut}>Ctrl K</kbd>
      </button>
      <NoticesBell />
      <MenuButton
        input={null}
        className={menuButton.icon}
        label="Theme"
        load={async () => (await import('./theme-menu.tsx')).ThemeMenu}
      >
        <ThemeIcon size={18} stroke={1.6} />
      </MenuButton>
      <MenuButton
        input={null}
        className={menuButton.icon}
        label={`Account menu for ${login.alias}`}
        load={async () => (await import('./account-menu.tsx')).AccountMenu}
      >
        <span className={menu.initial} aria-hidden="true">
          {login.alias.slice(0, 1).toUpperCase()}
        </span>
      </MenuButton>
      {isSearching && (
        <Suspense>
          <GlobalSearch close={() => setSearching(false)} run={setCommand} />
        </Suspense>
      )}
      {command !== null && (
        <Suspense>
          <RunCommand command={command} close={() => setCommand(null)} />
        </Suspense>
      )}
    </header>
  )
}
