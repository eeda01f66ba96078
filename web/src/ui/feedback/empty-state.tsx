/** Empty list: what is missing and how to add it. */
import type { ReactNode } from 'react'
import styles from '../layout/state-page.module.css'

interface EmptyStateProps {
  icon: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
  /** Ordered instructions. */
  steps?: { id: string; content: ReactNode }[]
}

export function EmptyState({ icon, title, children, action, steps }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <span className={styles.icon}>{icon}</span>
      <h2 className={styles.title}>{title}</h2>
      {children !== undefined && <p className={styles.text}>{children}</p>}
      {steps !== undefined && (
        <ol className={styles.steps}>
          {steps.map(({ id, content }) => (
            <li className={styles.step} key={id}>
              <div>{content}</div>
            </li>
          ))}
        </ol>
      )}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  )
}
