/** Asks for the password again before something that a borrowed browser must not do. */
import { Button, PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { hasCode, sessionQuery } from '../api/api.ts'
import { Dialog } from './dialog.tsx'
import dialog from './dialog.module.css'
import { FailureNote } from './failure-note.tsx'

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
  const isWrong = hasCode(error, 'passwordWrong')

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
          error={isWrong && 'This is not your password.'}
        />
        {!isWrong && <FailureNote error={error} />}
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
