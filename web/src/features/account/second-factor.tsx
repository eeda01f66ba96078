/** Sets up and removes the authenticator app. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useConfirmSecondFactor, useRemoveSecondFactor, useStartSecondFactor } from '../../api/account.ts'
import type { Session } from '../../api/client.ts'
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

  if (confirm.data !== undefined && confirm.data.recovery_codes.length > 0)
    return <RecoveryCodes codes={confirm.data.recovery_codes} close={close} />
  return (
    <>
      {login.second_factor ? (
        <Notice
          tone="success"
          title={login.authenticator_app ? 'On' : 'On with passkeys'}
          actions={
            <Button variant="default" size="xs" onClick={() => setOpen(true)}>
              {appAction(login)}
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
      {isOpen && login.authenticator_app && (
        <PasswordPrompt
          title={login.passkeys === 0 ? 'Turn off two-factor authentication?' : 'Remove authenticator app?'}
          action={login.passkeys === 0 ? 'Turn off' : 'Remove app'}
          isDanger
          act={async (confirmation) => {
            await remove.mutateAsync(confirmation)
            close()
            toast(login.passkeys === 0 ? 'Two-factor authentication turned off' : 'Authenticator app removed')
          }}
          close={close}
        >
          {login.passkeys === 0
            ? 'Your password alone is then enough to sign in. The recovery codes become invalid.'
            : 'Its codes are then no longer accepted. Two-factor authentication stays on with your passkeys.'}
        </PasswordPrompt>
      )}
      {isOpen && !login.authenticator_app && start.data === undefined && (
        <PasswordPrompt
          title={login.second_factor ? 'Add authenticator app' : 'Turn on two-factor authentication'}
          action="Continue"
          act={(confirmation) => start.mutateAsync(confirmation)}
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

function appAction({ authenticator_app: hasApp, passkeys }: Session['login']): string {
  if (!hasApp) return 'Add authenticator app'
  return passkeys === 0 ? 'Turn off' : 'Remove app'
}
