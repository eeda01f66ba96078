/** A page that is one card and nothing else: signing in, giving consent. */
import type { ReactNode } from 'react'
import styles from './card-page.module.css'
import { Mark } from './mark.tsx'
import { usePageHeading } from './page-header.tsx'

interface CardPageProps {
  title: string
  about?: ReactNode
  children?: ReactNode
  /** Below the card. */
  foot?: ReactNode
}

export function CardPage({ title, about, children, foot }: CardPageProps) {
  const heading = usePageHeading(title)
  return (
    <main className={styles.page}>
      <div className={styles.brand}>
        <Mark size={26} />
        Hookline
      </div>
      <div className={styles.card}>
        <h1 className={styles.title} ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {about !== undefined && <p className={styles.about}>{about}</p>}
        <div className={styles.body}>{children}</div>
      </div>
      {foot !== undefined && <div className={styles.foot}>{foot}</div>}
    </main>
  )
}
