import { Link } from '@tanstack/react-router'
import type { Notice } from '../../api/notices.ts'
import styles from './notices.module.css'

/** The title of a notice, with a link to its webhook. */
export function NoticeTitle({ notice: { title, webhook } }: { notice: Notice }) {
  if (webhook === null) return <p className={styles.title}>{title}</p>
  return (
    <p className={styles.title}>
      <Link to="/webhooks/$id" params={{ id: String(webhook.id) }}>
        {title}
      </Link>
    </p>
  )
}
