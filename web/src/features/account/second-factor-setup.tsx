/** Shows the secret as QR code and text. The first code confirms the setup. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { useConfirmSecondFactor } from '../../api/account.ts'
import { isErrorCode } from '../../api/client.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import dialog from '../../ui/feedback/dialog.module.css'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Mono } from '../../ui/data/mono.tsx'
import styles from './account.module.css'
import { QrCode } from './qr-code.tsx'

interface SecondFactorSetupProps {
  secret: string
  uri: string
  confirm: ReturnType<typeof useConfirmSecondFactor>
  close: () => void
}

export function SecondFactorSetup({ secret, uri, confirm, close }: SecondFactorSetupProps) {
  const [code, setCode] = useState('')
  const isWrong = isErrorCode(confirm.error, 'invalidSecondFactor')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate(code.replaceAll(/\s/g, ''), {
      onSuccess({ recovery_codes: codes }) {
        // With a passkey, the user has recovery codes already.
        if (codes.length > 0) return
        close()
        toast('Authenticator app added')
      },
    })
  }
  return (
    <Dialog title="Turn on two-factor authentication" close={close} isBusy size="lg">
      <form className={dialog.body} onSubmit={submit}>
        <div className={styles.setup}>
          <QrCode text={uri} label="QR code with the secret for your authenticator app" />
          <div className={styles.stack}>
            <p>Scan the QR code with your authenticator app, or enter the secret:</p>
            <Mono text={secret} label="secret" />
            <TextInput
              label="Authenticator code"
              autoComplete="one-time-code"
              inputMode="numeric"
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              error={isWrong && 'Invalid code. Check the clock of your device.'}
              data-autofocus
            />
          </div>
        </div>
        {!isWrong && <ErrorNotice error={confirm.error} />}
        <div className={dialog.actions}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={confirm.isPending} disabled={code.trim() === ''}>
            Turn on
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
