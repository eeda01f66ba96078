/** A dialog that names itself and closes by Esc. */
import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './dialog.module.css'

interface DialogProps {
  title: string
  close: () => void
  /** While true, neither Esc nor a click beside it closes. */
  isBusy?: boolean
  size?: 'md' | 'lg' | 'xl'
  children: ReactNode
}

export function Dialog({ title, close, isBusy = false, size = 'md', children }: DialogProps) {
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
