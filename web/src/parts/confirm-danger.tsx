/** Asks before something ends: names what ends, stays open with the reason when it could not be done. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Dialog } from './dialog.tsx'
import dialog from './dialog.module.css'
import { FailureNote } from './failure-note.tsx'

interface ConfirmDangerProps {
  title: string
  /** What ends and what stays. */
  children: ReactNode
  /** The word on the button: what happens. */
  action: string
  /** For what cannot be undone and hits many: a text to be typed first. */
  typed?: string
  act: () => Promise<unknown>
  close: () => void
}

export function ConfirmDanger({ title, children, action, typed, act, close }: ConfirmDangerProps) {
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
        {typed !== undefined && (
          <TextInput
            label={`Type ${typed} to confirm`}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <FailureNote error={error} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={isBusy}>
            Cancel
          </Button>
          <Button
            type="submit"
            color="red"
            loading={isBusy}
            disabled={typed !== undefined && text.trim() !== typed}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
