/** Tabs with their own URLs. Contains `TabLink`s. If they do not fit, the current one is scrolled into view. */
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './link-tabs.module.css'

export function LinkTabs({ label, children }: { label: string; children: ReactNode }) {
  const nav = useRef<HTMLElement>(null)
  const shown = useRef<Element>(null)
  useEffect(() => {
    const current = nav.current?.querySelector('[aria-current]') ?? null
    // Later renders do not undo scrolling by the user.
    if (nav.current === null || current === shown.current) return
    shown.current = current
    if (current instanceof HTMLElement)
      nav.current.scrollLeft = current.offsetLeft - (nav.current.clientWidth - current.offsetWidth) / 2
  })
  return (
    <nav className={styles.tabs} aria-label={label} ref={nav}>
      {children}
    </nav>
  )
}
