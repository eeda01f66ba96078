/** Setting with its title on the left and its form on the right. */
import { type ReactNode, useId } from 'react'
import styles from './settings-row.module.css'

interface SettingsRowProps {
  /** Link target. */
  id?: string
  title: string
  description?: ReactNode
  children: ReactNode
}

export function SettingsRow({ id, title, description, children }: SettingsRowProps) {
  const titleId = useId()
  return (
    <section className={styles.row} id={id} aria-labelledby={titleId}>
      <div>
        <h2 className={styles.title} id={titleId}>
          {title}
        </h2>
        {description !== undefined && <p className={styles.description}>{description}</p>}
      </div>
      <div className={styles.content}>{children}</div>
    </section>
  )
}
