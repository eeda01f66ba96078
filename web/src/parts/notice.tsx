/** Something the person should know, in place, with a shape, a sentence and room for what to do. */
import type { ReactNode } from 'react'
import styles from './notice.module.css'
import { shapeOf, type Tone } from './state-badge.tsx'

interface NoticeProps {
  tone: Tone
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
  /** Read out when it appears: `alert` for failures, `status` for results. */
  role?: 'alert' | 'status'
}

export function Notice({ tone, title, children, actions, role }: NoticeProps) {
  const Shape = shapeOf[tone]
  return (
    <div className={styles.notice} data-tone={tone} role={role}>
      <Shape className={styles.shape} size={18} aria-hidden="true" />
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {children !== undefined && <div className={styles.more}>{children}</div>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
