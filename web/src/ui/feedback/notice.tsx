/** Inline notice with an icon, text and optional actions. */
import type { ReactNode } from 'react'
import styles from './notice.module.css'
import type { Tone } from '../../lib/tone.ts'
import { toneIcons } from './state-badge.tsx'

interface NoticeProps {
  tone: Tone
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
  /** Announced by screen readers: `alert` for errors, `status` for results. */
  role?: 'alert' | 'status'
}

export function Notice({ tone, title, children, actions, role }: NoticeProps) {
  const Icon = toneIcons[tone]
  return (
    <div className={styles.notice} data-tone={tone} role={role}>
      <Icon className={styles.icon} size={18} aria-hidden="true" />
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        {children !== undefined && <div className={styles.more}>{children}</div>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
