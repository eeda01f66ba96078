/** Shown while a public page loads slowly, or until the service can be reached. */
import { CardPage } from '../ui/layout/card-page.tsx'
import { Mark } from '../ui/layout/mark.tsx'
import { Unreachable, useOutage } from './unreachable.tsx'
import styles from './loading-page.module.css'

export function LoadingPage() {
  const isUnreachable = useOutage()
  if (isUnreachable)
    return (
      <CardPage title="Page unavailable">
        <Unreachable />
      </CardPage>
    )
  return (
    <main className={styles.page} role="status" aria-label="Loading">
      <Mark size={32} />
    </main>
  )
}
