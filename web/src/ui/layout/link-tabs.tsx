/** Tabs with their own URLs. Contains `TabLink`s. */
import type { ReactNode } from 'react'
import styles from './link-tabs.module.css'

export function LinkTabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  )
}
