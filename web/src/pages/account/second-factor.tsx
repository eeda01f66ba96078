/** The second factor: on or off, and the way between. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useConfirmSecondFactor, useEndSecondFactor, useStartSecondFactor } from '../../api/account.ts'
import { useSession } from '../../frame/session-context.ts'
import { Notice } from '../../parts/notice.tsx'
import { PasswordPrompt } from '../../parts/password-prompt.tsx'
import { say } from '../../parts/say.ts'
import { counted } from '../../words/count.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SecondFactorSetup } from './second-factor-setup.tsx'

export function SecondFactor() {
  const { login } = useSession()
  const [isAsked, setAsked] = useState(false)
  const start = useStartSecondFactor()
  const confirm = useConfirmSecondFactor()
  const end = useEndSecondFactor()
  const close = () => {
    setAsked(false)
    start.reset()
    confirm.reset()
  }

  if (confirm.data !== undefined) return <RecoveryCodes codes={confirm.data.recovery_codes} close={close} />
  return (
    <>
      {login.second_factor ? (
        <Notice
          tone="good"
          title="On"
          actions={
            <Button variant="default" size="xs" onClick={() => setAsked(true)}>
              Turn off
            </Button>
          }
        >
          You have {counted(login.recovery_codes_left, 'recovery code')} left.
        </Notice>
      ) : (
        <Notice
          tone="quiet"
          title="Off"
          actions={
            <Button size="xs" onClick={() => setAsked(true)}>
              Turn on
            </Button>
          }
        >
          Whoever knows your password can sign in.
        </Notice>
      )}
      {isAsked && login.second_factor && (
        <PasswordPrompt
          title="Turn the second factor off?"
          action="Turn it off"
          isDanger
          act={async (password) => {
            await end.mutateAsync(password)
            close()
            say('The second factor is off.')
          }}
          close={close}
        >
          From then on your password alone is enough, and the recovery codes are void.
        </PasswordPrompt>
      )}
      {isAsked && !login.second_factor && start.data === undefined && (
        <PasswordPrompt
          title="Turn the second factor on"
          action="Go on"
          act={(password) => start.mutateAsync(password)}
          close={close}
        >
          You need an authenticator app, for example on your phone.
        </PasswordPrompt>
      )}
      {start.data !== undefined && (
        <SecondFactorSetup secret={start.data.secret} uri={start.data.uri} confirm={confirm} close={close} />
      )}
    </>
  )
}
