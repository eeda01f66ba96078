/** Page with a single card, such as sign-in or consent. */
import type { ReactNode } from 'react'
import styles from './card-page.module.css'
import { Mark } from './mark.tsx'
import { usePageHeading } from './page-header.tsx'

interface CardPageProps {
  title: string
  description?: ReactNode
  children?: ReactNode
  /** Below the card. */
  foot?: ReactNode
}

export function CardPage({ title, description, children, foot }: CardPageProps) {
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
        {description !== undefined && <p className={styles.description}>{description}</p>}
        <div className={styles.body}>{children}</div>
      </div>
      {foot !== undefined && <div className={styles.foot}>{foot}</div>}
    </main>
  )
}
