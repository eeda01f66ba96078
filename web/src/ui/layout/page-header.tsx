/** Page header with title, description and actions. Sets the document title and takes the focus after navigation. */
import { useDocumentTitle } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef } from 'react'
import { hasNavigated } from '../../lib/navigated.ts'
import styles from './page-header.module.css'

interface PageHeaderProps {
  title: string
  /** One sentence about the page. */
  description?: ReactNode
  actions?: ReactNode
}

export function PageHeader({ title, description, actions }: PageHeaderProps) {
  const heading = usePageHeading(title)
  return (
    <header className={styles.header}>
      <div className={styles.text}>
        <h1 className={styles.title} ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {description !== undefined && <p className={styles.description}>{description}</p>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  )
}

/** For pages with a custom header. */
export function usePageHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  useDocumentTitle(`${title} · Hookline`)
  useEffect(() => {
    // A page that loads late does not take the focus from an input.
    const isTyping = document.activeElement?.closest('[role="dialog"], input, textarea, select') ?? null
    if (hasNavigated() && isTyping === null) heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}
