/**
 * Asks for the password or a passkey before a sensitive action, to protect unattended browsers. In a session of single sign-on,
 * a recent sign-in at the provider stands for the password.
 */
import { Button, PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { isErrorCode, sessionQuery } from '../../api/client.ts'
import { type Confirmation, confirmWithPasskey } from '../../api/passkeys.ts'
import { supportsPasskeys } from '../../lib/passkey.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import dialog from '../../ui/feedback/dialog.module.css'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import { ConfirmBySso, useIsConfirmed } from './confirm-by-sso.tsx'

interface PasswordPromptProps {
  title: string
  children: ReactNode
  action: string
  isDanger?: boolean
  /** The other fields are not complete. */
  isDisabled?: boolean
  act: (confirmation: Confirmation) => Promise<unknown>
  close: () => void
}

export function PasswordPrompt({
  title,
  children,
  action,
  isDanger = false,
  isDisabled = false,
  act,
  close,
}: PasswordPromptProps) {
  const session = useQuery(sessionQuery).data
  const sso = session?.sso
  const isConfirmed = useIsConfirmed(sso)
  const [password, setPassword] = useState('')
  const [busyWith, setBusyWith] = useState<'password' | 'passkey' | null>(null)
  const [error, setError] = useState<unknown>(null)
  const isBusy = busyWith !== null
  const isWrong = isErrorCode(error, 'wrongPassword')

  const run = async (by: 'password' | 'passkey') => {
    setBusyWith(by)
    setError(null)
    try {
      await act(by === 'password' ? { password } : await confirmWithPasskey())
    } catch (reason) {
      setError(reason)
    } finally {
      setBusyWith(null)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run('password')
  }

  return (
    <Dialog title={title} close={close} isBusy={isBusy}>
      <form className={dialog.body} onSubmit={submit}>
        <div>{children}</div>
        {isConfirmed ? (
          <p>You have confirmed with {sso?.name}, so no password is needed.</p>
        ) : (
          <>
            <input type="text" autoComplete="username" value={session?.login.alias ?? ''} readOnly hidden />
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
            {sso != null && <ConfirmBySso name={sso.name} />}
          </>
        )}
        {!isWrong && <ErrorNotice error={error} />}
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={isBusy}>
            Cancel
          </Button>
          {(session?.login.passkeys ?? 0) > 0 && supportsPasskeys() && (
            <Button
              variant="default"
              onClick={() => void run('passkey')}
              loading={busyWith === 'passkey'}
              disabled={isDisabled || busyWith === 'password'}
            >
              Use passkey
            </Button>
          )}
          <Button
            type="submit"
            {...(isDanger && { color: 'red' })}
            loading={busyWith === 'password'}
            disabled={(password === '' && !isConfirmed) || isDisabled || busyWith === 'passkey'}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
