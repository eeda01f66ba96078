/** The secret as a picture and as text, and the first code as proof that it arrived. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { useConfirmSecondFactor } from '../../api/account.ts'
import { hasCode } from '../../api/api.ts'
import { Dialog } from '../../parts/dialog.tsx'
import dialog from '../../parts/dialog.module.css'
import { FailureNote } from '../../parts/failure-note.tsx'
import { Mono } from '../../parts/mono.tsx'
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
  const isWrong = hasCode(confirm.error, 'secondFactorWrong')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate(code.replaceAll(/\s/g, ''))
  }
  return (
    <Dialog title="Turn the second factor on" close={close} isBusy size="lg">
      <form className={dialog.body} onSubmit={submit}>
        <div className={styles.setup}>
          <QrCode text={uri} label="QR code with the secret for your authenticator app" />
          <div className={styles.stack}>
            <p>Scan this with your authenticator app, or type the secret into it:</p>
            <Mono text={secret} what="secret" />
            <TextInput
              label="Code that the app shows"
              autoComplete="one-time-code"
              inputMode="numeric"
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              error={isWrong && 'This code is not valid. Is the clock of your phone right?'}
              data-autofocus
            />
          </div>
        </div>
        {!isWrong && <FailureNote error={confirm.error} />}
        <div className={dialog.actions}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={confirm.isPending} disabled={code.trim() === ''}>
            Turn it on
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
