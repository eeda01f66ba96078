/** Top bar: breadcrumb, search, theme and account menus. */
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useMatches } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Mark } from '../../ui/layout/mark.tsx'
import { AccountMenu } from './account-menu.tsx'
import { useSession } from '../../features/auth/session-context.ts'
import { ThemeMenu } from './theme-menu.tsx'
import styles from './top-bar.module.css'

const loadSearch = () => import('./global-search.tsx')
const GlobalSearch = lazy(async () => ({ default: (await loadSearch()).GlobalSearch }))

export function TopBar() {
  const { account } = useSession()
  const breadcrumb = useMatches().flatMap(({ staticData }) => staticData.title ?? [])
  const [isSearching, search] = useDisclosure(false)
  useHotkeys([
    ['mod+K', search.open],
    ['/', search.open],
  ])
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
        onClick={search.open}
        onFocus={() => void loadSearch()}
        onPointerEnter={() => void loadSearch()}
        aria-keyshortcuts="Control+K /"
      >
        <IconSearch size={16} stroke={1.75} aria-hidden="true" />
        <span className={styles.searchTerm}>Search</span>
        <kbd className={styles.shortcut}>Ctrl K</kbd>
      </button>
      <ThemeMenu />
      <AccountMenu />
      {isSearching && (
        <Suspense>
          <GlobalSearch close={search.close} />
        </Suspense>
      )}
    </header>
  )
}
