/** Through a list that is read from its newest end: back to the start, and further back. */
import type { ReactNode } from 'react'
import styles from './pages-nav.module.css'

interface PagesNavProps {
  label: string
  newest: ReactNode
  about?: ReactNode
  older: ReactNode
}

export function PagesNav({ label, newest, about, older }: PagesNavProps) {
  return (
    <nav className={styles.pages} aria-label={label}>
      <div>{newest}</div>
      <p className={styles.about}>{about}</p>
      <div>{older}</div>
    </nav>
  )
}
