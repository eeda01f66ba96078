/** Layout of signed-in pages: navigation, breadcrumb, search, account and theme menus. */
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { redirectToSignIn, sessionQuery } from '../../api/client.ts'
import { isActive, replaysQuery } from '../../api/replays.ts'
import { lazyOptional } from '../../lib/lazy-optional.ts'
import { Mark } from '../../ui/layout/mark.tsx'
import styles from './shell.module.css'
import { Navigation } from './navigation.tsx'
import { StaleDataBanner } from './stale-data-banner.tsx'
import { SessionContext } from '../../features/auth/session-context.ts'
import { TopBar } from './top-bar.tsx'

export function Shell() {
  const session = useQuery(sessionQuery).data
  useEffect(() => {
    if (session === null) redirectToSignIn()
  }, [session])
  if (session === undefined || session === null) return null
  return (
    <SessionContext value={session}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <div className={styles.frame}>
        <nav className={styles.column} aria-label="Main">
          <div className={styles.navList}>
            <div className={styles.brand}>
              <Mark />
              Hookline
            </div>
            <Navigation />
            <div className={styles.references}>
              <Link className={styles.reference} to="/guides">
                Guides
              </Link>
              <a className={styles.reference} href="/docs">
                API reference
              </a>
            </div>
          </div>
        </nav>
        <div className={styles.main}>
          <TopBar />
          <StaleDataBanner />
          <ActiveReplays />
          <main className={styles.content} id="content" tabIndex={-1}>
            <Outlet />
          </main>
        </div>
      </div>
    </SessionContext>
  )
}

/** Loaded when a replay is active. */
const ReplayBanner = lazyOptional(
  async () => (await import('../../features/replays/replay-banner.tsx')).ReplayBanner,
)

function ActiveReplays() {
  const hasActiveReplay = useQuery(replaysQuery).data?.some(isActive) === true
  return <Suspense>{hasActiveReplay && <ReplayBanner />}</Suspense>
}
