/** The head of a page: what it is, in the browser's tab too, and what can be done. Takes the focus after navigation. */
import { useDocumentTitle } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef } from 'react'
import { hasNavigated } from './navigated.ts'
import styles from './page-header.module.css'

interface PageHeaderProps {
  title: string
  /** One sentence: what the page is for. */
  about?: ReactNode
  actions?: ReactNode
}

export function PageHeader({ title, about, actions }: PageHeaderProps) {
  const heading = usePageHeading(title)
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        <h1 className={styles.title} ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {about !== undefined && <p className={styles.about}>{about}</p>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  )
}

/** For pages with a head of their own. */
export function usePageHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  useDocumentTitle(`${title} · Hookline`)
  useEffect(() => {
    // A page that comes late does not take it from somebody who types meanwhile.
    const isTyping = document.activeElement?.closest('[role="dialog"], input, textarea, select') ?? null
    if (hasNavigated() && isTyping === null) heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}
