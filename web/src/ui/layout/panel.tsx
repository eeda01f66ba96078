/** Bordered section with an optional header. */
import { type ReactNode, useId } from 'react'
import styles from './panel.module.css'

interface PanelProps {
  /** Link target. */
  id?: string
  title?: string
  description?: ReactNode
  actions?: ReactNode
  tone?: 'danger'
  /** Removes the padding, for lists. */
  isFlush?: boolean
  children?: ReactNode
}

export function Panel({ id, title, description, actions, tone, isFlush = false, children }: PanelProps) {
  const titleId = useId()
  return (
    <section
      className={styles.panel}
      id={id}
      data-tone={tone}
      aria-labelledby={title === undefined ? undefined : titleId}
    >
      {title !== undefined && (
        <div className={styles.head}>
          <div className={styles.text}>
            <h2 className={styles.title} id={titleId}>
              {title}
            </h2>
            {description !== undefined && <p className={styles.description}>{description}</p>}
          </div>
          {actions}
        </div>
      )}
      {children !== undefined && <div className={isFlush ? undefined : styles.body}>{children}</div>}
    </section>
  )
}
