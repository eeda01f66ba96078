/** Above every page: where one is, the search, the theme, the account. */
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useMatches } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Mark } from '../parts/mark.tsx'
import { AccountMenu } from './account-menu.tsx'
import { useSession } from './session-context.ts'
import { ThemeMenu } from './theme-menu.tsx'
import styles from './top-bar.module.css'

const loadSearch = () => import('./search.tsx')
const Search = lazy(async () => ({ default: (await loadSearch()).Search }))

export function TopBar() {
  const { account } = useSession()
  const trail = useMatches().flatMap(({ staticData }) => staticData.title ?? [])
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
      <ol className={styles.trail} aria-label="Where you are">
        <li className={styles.account} title={account.name}>
          <bdi>{account.name}</bdi>
        </li>
        {trail.map((title) => (
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
        <span className={styles.searchWord}>Search</span>
        <kbd className={styles.shortcut}>Ctrl K</kbd>
      </button>
      <ThemeMenu />
      <AccountMenu />
      {isSearching && (
        <Suspense>
          <Search close={search.close} />
        </Suspense>
      )}
    </header>
  )
}
