/** A line that opens to show more. What it hides is there all the time, so that paper shows it. */
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import styles from './disclosure.module.css'

interface DisclosureProps {
  summary: ReactNode
  isOpenAtFirst?: boolean
  /** Something within must be seen, so it is open, and stays so when it has been. */
  isNeeded?: boolean
  onToggle?: (isOpen: boolean) => void
  children: ReactNode
}

export function Disclosure({
  summary,
  isOpenAtFirst = false,
  isNeeded = false,
  onToggle,
  children,
}: DisclosureProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  if (isNeeded && !isOpen) setOpen(true)
  const id = useId()
  return (
    <div className={styles.disclosure}>
      <button
        className={styles.line}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          setOpen(!isOpen)
          onToggle?.(!isOpen)
        }}
      >
        <IconChevronRight className={styles.arrow} size={16} aria-hidden="true" />
        <span className={styles.summary}>{summary}</span>
      </button>
      <div className={styles.content} id={id} data-open={isOpen}>
        {children}
      </div>
    </div>
  )
}
