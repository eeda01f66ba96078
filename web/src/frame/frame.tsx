/** What stands around every page of the area: navigation, where one is, search, account, theme. */
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { leaveForSignIn, sessionQuery } from '../api/api.ts'
import { isUnderWay, replaysQuery } from '../api/replays.ts'
import { lazyOrNothing } from '../parts/lazy-or-nothing.ts'
import { Mark } from '../parts/mark.tsx'
import styles from './frame.module.css'
import { Navigation } from './navigation.tsx'
import { NotRenewed } from './not-renewed.tsx'
import { SessionContext } from './session-context.ts'
import { TopBar } from './top-bar.tsx'

export function Frame() {
  const session = useQuery(sessionQuery).data
  useEffect(() => {
    if (session === null) leaveForSignIn()
  }, [session])
  if (session === undefined || session === null) return null
  return (
    <SessionContext value={session}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <div className={styles.frame}>
        <nav className={styles.side} aria-label="Main">
          <div className={styles.places}>
            <div className={styles.brand}>
              <Mark />
              Hookline
            </div>
            <Navigation />
            <a className={styles.reference} href="/docs">
              API reference
            </a>
          </div>
        </nav>
        <div className={styles.main}>
          <TopBar />
          <NotRenewed />
          <Replaying />
          <main className={styles.content} id="content" tabIndex={-1}>
            <Outlet />
          </main>
        </div>
      </div>
    </SessionContext>
  )
}

/** Loaded when there is one to tell of. */
const ReplayBanner = lazyOrNothing(async () => (await import('../replay/replay-banner.tsx')).ReplayBanner)

function Replaying() {
  const isUnderWayNow = useQuery(replaysQuery).data?.some(isUnderWay) === true
  return <Suspense>{isUnderWayNow && <ReplayBanner />}</Suspense>
}
