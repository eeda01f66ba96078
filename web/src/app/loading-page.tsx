/** Shown while the first page loads slowly. */
import { Mark } from '../ui/layout/mark.tsx'
import styles from './loading-page.module.css'

export function LoadingPage() {
  return (
    <main className={styles.page} role="status" aria-label="Loading">
      <Mark size={32} />
    </main>
  )
}
