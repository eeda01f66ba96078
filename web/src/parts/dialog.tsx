/** A dialog that names itself, closes by Esc, and leaves the focus where it was. */
import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './dialog.module.css'
import { useFocusBack } from './use-focus-back.ts'

interface DialogProps {
  title: string
  close: () => void
  /** While true, neither Esc nor a click beside it closes. */
  isBusy?: boolean
  size?: 'md' | 'lg' | 'xl'
  children: ReactNode
}

export function Dialog({ title, close, isBusy = false, size = 'md', children }: DialogProps) {
  useFocusBack()
  return (
    <Modal.Root opened onClose={close} size={size} closeOnClickOutside={!isBusy} closeOnEscape={!isBusy}>
      <Modal.Overlay blur={2} />
      <Modal.Content radius="lg">
        <div className={styles.head}>
          <Modal.Title className={styles.title}>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
