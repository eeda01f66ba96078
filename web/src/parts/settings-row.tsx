/** One setting: on the left what it is, on the right how it is set. */
import { type ReactNode, useId } from 'react'
import styles from './settings-row.module.css'

interface SettingsRowProps {
  /** To be linked to. */
  id?: string
  title: string
  about?: ReactNode
  children: ReactNode
}

export function SettingsRow({ id, title, about, children }: SettingsRowProps) {
  const titleId = useId()
  return (
    <section className={styles.row} id={id} aria-labelledby={titleId}>
      <div>
        <h2 className={styles.title} id={titleId}>
          {title}
        </h2>
        {about !== undefined && <p className={styles.about}>{about}</p>}
      </div>
      <div className={styles.content}>{children}</div>
    </section>
  )
}
