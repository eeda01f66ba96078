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
    <Modal
      opened
      onClose={close}
      title={title}
      size={size}
      closeOnClickOutside={!isBusy}
      closeOnEscape={!isBusy}
      classNames={{ title: styles.title ?? '' }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Modal>
  )
}
