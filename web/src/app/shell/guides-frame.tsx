/** Layout of the guides: the shell for signed-in users, a plain header for all others. */
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { sessionQuery } from '../../api/client.ts'
import { TextLink } from '../../ui/layout/links.tsx'
import { Mark } from '../../ui/layout/mark.tsx'
import styles from './guides-frame.module.css'
import { Shell } from './shell.tsx'

export function GuidesFrame() {
  const session = useQuery(sessionQuery).data
  if (session !== undefined && session !== null) return <Shell />
  return (
    <>
      <header className={styles.bar}>
        <div className={styles.brand}>
          <Mark />
          Hookline
        </div>
        <nav className={styles.links} aria-label="Main">
          <TextLink to="/guides">Guides</TextLink>
          <a href="/docs">API reference</a>
          <TextLink to="/sign-in">Sign in</TextLink>
        </nav>
      </header>
      <main className={styles.content} id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  )
}
