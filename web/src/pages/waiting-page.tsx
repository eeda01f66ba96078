/** When even the first page takes its time. */
import { Mark } from '../parts/mark.tsx'
import styles from './waiting-page.module.css'

export function WaitingPage() {
  return (
    <main className={styles.page} role="status" aria-label="Loading">
      <Mark size={32} />
    </main>
  )
}
