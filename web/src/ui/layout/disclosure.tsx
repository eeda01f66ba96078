/** Collapsible section. Hidden content stays in the DOM, so that it is printed. */
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import styles from './disclosure.module.css'

interface DisclosureProps {
  summary: ReactNode
  isInitiallyOpen?: boolean
  /** Opens the section, for example to show an error. It stays open afterwards. */
  isForcedOpen?: boolean
  onToggle?: (isOpen: boolean) => void
  children: ReactNode
}

export function Disclosure({
  summary,
  isInitiallyOpen = false,
  isForcedOpen = false,
  onToggle,
  children,
}: DisclosureProps) {
  const [isOpen, setOpen] = useState(isInitiallyOpen)
  if (isForcedOpen && !isOpen) setOpen(true)
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
