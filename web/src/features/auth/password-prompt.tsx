/** Asks for the password before a sensitive action, to protect unattended browsers. */
import { Button, PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { isErrorCode, sessionQuery } from '../../api/client.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import dialog from '../../ui/feedback/dialog.module.css'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'

interface PasswordPromptProps {
  title: string
  children: ReactNode
  action: string
  isDanger?: boolean
  act: (password: string) => Promise<unknown>
  close: () => void
}

export function PasswordPrompt({
  title,
  children,
  action,
  isDanger = false,
  act,
  close,
}: PasswordPromptProps) {
  const alias = useQuery(sessionQuery).data?.login.alias ?? ''
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const isWrong = isErrorCode(error, 'wrongPassword')

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await act(password)
    } catch (reason) {
      setError(reason)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog title={title} close={close} isBusy={isBusy}>
      <form className={dialog.body} onSubmit={(event) => void submit(event)}>
        <div>{children}</div>
        <input type="text" autoComplete="username" value={alias} readOnly hidden />
        <PasswordInput
          label="Your password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          error={isWrong && 'Incorrect password.'}
        />
        {!isWrong && <ErrorNotice error={error} />}
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={isBusy}>
            Cancel
          </Button>
          <Button
            type="submit"
            {...(isDanger && { color: 'red' })}
            loading={isBusy}
            disabled={password === ''}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
