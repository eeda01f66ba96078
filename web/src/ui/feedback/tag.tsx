/** Muted tag, such as an event type or HTTP method. */
import type { ReactNode } from 'react'
import styles from './tag.module.css'

export function Tag({ children, title }: { children: ReactNode; title?: string }) {
  return (
    <span className={styles.tag} title={title}>
      {children}
    </span>
  )
}
