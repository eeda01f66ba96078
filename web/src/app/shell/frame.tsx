/** Navigation and page area. Needs no session, so it also appears while the service cannot be reached. */
import { Link } from '@tanstack/react-router'
import { type ReactNode, useContext } from 'react'
import { SessionContext } from '../../features/auth/session-context.ts'
import { Mark } from '../../ui/layout/mark.tsx'
import { LoadingPage } from '../loading-page.tsx'
import { Unreachable, useOutage } from '../unreachable.tsx'
import { Navigation } from './navigation.tsx'
import styles from './shell.module.css'

/** `top` is above the page: top bar and notices. */
export function Frame({ top, children }: { top: ReactNode; children: ReactNode }) {
  return (
    <>
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
          {top}
          <main className={styles.content} id="content" tabIndex={-1}>
            {children}
          </main>
        </div>
      </div>
    </>
  )
}

/** Shown until the session and the shell have loaded. */
export function LoadingFrame() {
  const isUnreachable = useOutage()
  return isUnreachable ? (
    <Frame top={<header className={styles.emptyBar} />}>
      <h1 className={styles.unavailable}>Page unavailable</h1>
      <Unreachable />
    </Frame>
  ) : (
    <LoadingPage />
  )
}

/** Shown while a page loads slowly, in the page area if it is inside the shell. */
export function LoadingContent() {
  const isUnreachable = useOutage()
  const isInShell = useContext(SessionContext) !== null
  if (!isInShell) return <LoadingPage />
  return isUnreachable ? (
    <Unreachable />
  ) : (
    <div className={styles.loading} role="status" aria-label="Loading" />
  )
}
