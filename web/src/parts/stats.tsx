/** A row of figures, each with what it means; one that has more behind it is a link. */
import { Skeleton } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './stats.module.css'

export interface Stat {
  title: string
  /** Undefined while it loads. */
  figure: ReactNode
  more?: ReactNode
  tone?: 'bad' | 'attention' | undefined
  link?: LinkProps | undefined
}

export function Stats({ label, stats }: { label: string; stats: readonly Stat[] }) {
  return (
    <ul className={styles.stats} aria-label={label}>
      {stats.map(({ title, figure, more, tone, link }) => {
        const content = (
          <>
            <span className={styles.title}>{title}</span>
            <span className={styles.figure} data-tone={tone}>
              {figure ?? <Skeleton height={22} width={72} my={5} />}
            </span>
            <span className={styles.more}>{figure === undefined ? ' ' : more}</span>
          </>
        )
        return (
          <li key={title}>
            {link === undefined ? (
              <div className={styles.stat}>{content}</div>
            ) : (
              <Link className={styles.stat} {...link}>
                {content}
              </Link>
            )}
          </li>
        )
      })}
    </ul>
  )
}
