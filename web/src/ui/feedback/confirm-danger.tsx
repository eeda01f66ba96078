/** Confirmation dialog for destructive actions. Stays open with the error if the action fails. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Dialog } from './dialog.tsx'
import dialog from './dialog.module.css'
import { ErrorNotice } from './error-notice.tsx'

interface ConfirmDangerProps {
  title: string
  /** Consequences of the action. */
  children: ReactNode
  /** Button label. */
  action: string
  /** Text that the user must type, for irreversible actions that affect others. */
  confirmText?: string
  act: () => Promise<unknown>
  close: () => void
}

export function ConfirmDanger({ title, children, action, confirmText, act, close }: ConfirmDangerProps) {
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await act()
      close()
    } catch (reason) {
      setError(reason)
      setBusy(false)
    }
  }

  return (
    <Dialog title={title} close={close} isBusy={isBusy}>
      <form className={dialog.body} onSubmit={(event) => void submit(event)}>
        <div>{children}</div>
        {confirmText !== undefined && (
          <TextInput
            label={`Type ${confirmText} to confirm`}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <ErrorNotice error={error} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={isBusy}>
            Cancel
          </Button>
          <Button
            type="submit"
            color="red"
            loading={isBusy}
            disabled={confirmText !== undefined && text.trim() !== confirmText}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
