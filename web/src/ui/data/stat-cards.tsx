/** Row of stats. A stat may link to details. */
import { Skeleton } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './stat-cards.module.css'

export interface Stat {
  title: string
  /** Undefined while loading. */
  value: ReactNode
  more?: ReactNode
  /** How the value is computed, shown on hover. */
  definition?: string
  tone?: 'danger' | 'warning' | undefined
  link?: LinkProps | undefined
}

export function StatCards({ label, stats }: { label: string; stats: readonly Stat[] }) {
  return (
    <ul className={styles.stats} aria-label={label}>
      {stats.map(({ title, value, more, definition, tone, link }) => {
        const content = (
          <>
            <span className={styles.title}>{title}</span>
            <span className={styles.value} data-tone={tone}>
              {value ?? <Skeleton height={22} width={72} my={5} />}
            </span>
            <span className={styles.more}>{value === undefined ? ' ' : more}</span>
          </>
        )
        return (
          <li key={title} title={definition}>
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
