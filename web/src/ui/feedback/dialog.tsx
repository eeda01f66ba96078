/** Accessible dialog. Esc closes it, and the focus returns to the opener. */
import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './dialog.module.css'
import { useReturnFocus } from '../../lib/use-return-focus.ts'

interface DialogProps {
  title: string
  close: () => void
  /** Disables closing by Esc and outside clicks. */
  isBusy?: boolean
  size?: 'md' | 'lg' | 'xl'
  children: ReactNode
}

export function Dialog({ title, close, isBusy = false, size = 'md', children }: DialogProps) {
  useReturnFocus()
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
