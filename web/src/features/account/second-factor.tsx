/** Turns two-factor authentication on and off. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useConfirmSecondFactor, useRemoveSecondFactor, useStartSecondFactor } from '../../api/account.ts'
import { useSession } from '../auth/session-context.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { PasswordPrompt } from '../auth/password-prompt.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { plural } from '../../lib/format-number.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SecondFactorSetup } from './second-factor-setup.tsx'

export function SecondFactor() {
  const { login } = useSession()
  const [isOpen, setOpen] = useState(false)
  const start = useStartSecondFactor()
  const confirm = useConfirmSecondFactor()
  const remove = useRemoveSecondFactor()
  const close = () => {
    setOpen(false)
    start.reset()
    confirm.reset()
  }

  if (confirm.data !== undefined) return <RecoveryCodes codes={confirm.data.recovery_codes} close={close} />
  return (
    <>
      {login.second_factor ? (
        <Notice
          tone="success"
          title="On"
          actions={
            <Button variant="default" size="xs" onClick={() => setOpen(true)}>
              Turn off
            </Button>
          }
        >
          {plural(login.recovery_codes_left, 'recovery code')} left
        </Notice>
      ) : (
        <Notice
          tone="neutral"
          title="Off"
          actions={
            <Button size="xs" onClick={() => setOpen(true)}>
              Turn on
            </Button>
          }
        >
          Your password alone is enough to sign in.
        </Notice>
      )}
      {isOpen && login.second_factor && (
        <PasswordPrompt
          title="Turn off two-factor authentication?"
          action="Turn off"
          isDanger
          act={async (password) => {
            await remove.mutateAsync(password)
            close()
            toast('Two-factor authentication turned off')
          }}
          close={close}
        >
          Your password alone is then enough to sign in. The recovery codes become invalid.
        </PasswordPrompt>
      )}
      {isOpen && !login.second_factor && start.data === undefined && (
        <PasswordPrompt
          title="Turn on two-factor authentication"
          action="Continue"
          act={(password) => start.mutateAsync(password)}
          close={close}
        >
          Requires an authenticator app, for example on your phone.
        </PasswordPrompt>
      )}
      {start.data !== undefined && (
        <SecondFactorSetup secret={start.data.secret} uri={start.data.uri} confirm={confirm} close={close} />
      )}
    </>
  )
}
