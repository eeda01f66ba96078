/** A bordered surface for one subject, with an optional head. */
import { type ReactNode, useId } from 'react'
import styles from './panel.module.css'

interface PanelProps {
  /** To be linked to. */
  id?: string
  title?: string
  about?: ReactNode
  actions?: ReactNode
  tone?: 'danger'
  /** For a list, whose rows reach from edge to edge. */
  isFlush?: boolean
  children?: ReactNode
}

export function Panel({ id, title, about, actions, tone, isFlush = false, children }: PanelProps) {
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
          <div className={styles.words}>
            <h2 className={styles.title} id={titleId}>
              {title}
            </h2>
            {about !== undefined && <p className={styles.about}>{about}</p>}
          </div>
          {actions}
        </div>
      )}
      {children !== undefined && <div className={isFlush ? undefined : styles.body}>{children}</div>}
    </section>
  )
}
