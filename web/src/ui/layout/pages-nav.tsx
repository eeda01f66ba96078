/** Pagination for lists with the newest entries first. */
import type { ReactNode } from 'react'
import styles from './pages-nav.module.css'

interface PagesNavProps {
  label: string
  newest: ReactNode
  description?: ReactNode
  older: ReactNode
}

export function PagesNav({ label, newest, description, older }: PagesNavProps) {
  return (
    <nav className={styles.pages} aria-label={label}>
      <div>{newest}</div>
      <p className={styles.description}>{description}</p>
      <div>{older}</div>
    </nav>
  )
}
