import { Anchor, Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChangeEmail, useRenameAccount, useResendVerification } from '../../api/account.ts'
import { useSession } from '../auth/session-context.ts'
import { useAccess } from '../auth/use-access.ts'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import form from '../../ui/form/form.module.css'
import { Notice } from '../../ui/feedback/notice.tsx'
import { PasswordPrompt } from '../auth/password-prompt.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { findErrorField } from '../../messages/errors.ts'
import styles from './account.module.css'

export function ProfileForms() {
  const { login, account, sso } = useSession()
  const { hasRole } = useAccess()
  return (
    <div className={styles.stack}>
      {hasRole('admin') ? (
        <AccountName />
      ) : (
        <TextInput
          className={styles.field}
          label="Account name"
          description="Admins can change it."
          value={account.name}
          readOnly
        />
      )}
      {sso === null ? (
        <Email />
      ) : (
        <TextInput className={styles.field} label="Email" value={login.email ?? ''} readOnly />
      )}
      <TextInput
        className={styles.field}
        label="Alias"
        description="You sign in with the alias or email. The alias cannot be changed."
        value={login.alias}
        readOnly
      />
    </div>
  )
}

function AccountName() {
  const { account } = useSession()
  const rename = useRenameAccount()
  const [name, setName] = useState(account.name)
  const isNamed = findErrorField(rename.error, { name: 'name' }) !== undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate(name.trim(), { onSuccess: () => toast('Account renamed') })
  }
  return (
    <form className={form.form} onSubmit={submit}>
      <div className={styles.line}>
        <TextInput
          label="Account name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={isNamed && rename.error?.message}
          autoComplete="organization"
        />
        <Button
          type="submit"
          variant="default"
          loading={rename.isPending}
          disabled={name.trim() === '' || name.trim() === account.name}
        >
          Rename account
        </Button>
      </div>
      {!isNamed && <ErrorNotice error={rename.error} />}
    </form>
  )
}

function Email() {
  const { login } = useSession()
  const change = useChangeEmail()
  const [email, setEmail] = useState(login.email ?? '')
  const [isOpen, setOpen] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setOpen(true)
  }
  return (
    <>
      <form className={form.form} onSubmit={submit}>
        <div className={styles.line}>
          <TextInput
            label="Email"
            type="email"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            autoComplete="email"
          />
          <Button
            type="submit"
            variant="default"
            disabled={email.trim() === '' || email.trim() === login.email}
          >
            Change email
          </Button>
        </div>
      </form>
      {login.unconfirmed_email !== null && <Unconfirmed email={login.unconfirmed_email} />}
      {isOpen && (
        <PasswordPrompt
          title="Change email"
          action="Send link"
          act={async (confirmation) => {
            await change.mutateAsync({ email: email.trim(), ...confirmation })
            setOpen(false)
            toast('Check your email for a confirmation link')
          }}
          close={() => setOpen(false)}
        >
          Hookline sends a link to <strong>{email.trim()}</strong>. The email changes when you open the link.
        </PasswordPrompt>
      )}
    </>
  )
}

/** New email that is not confirmed yet. */
function Unconfirmed({ email }: { email: string }) {
  const resend = useResendVerification()
  return (
    <>
      <Notice tone="warning" title="Email not confirmed">
        Open the link sent to <strong>{email}</strong>.{' '}
        <Anchor
          component="button"
          type="button"
          inherit
          disabled={resend.isPending}
          onClick={() => resend.mutate(undefined, { onSuccess: () => toast('Link sent') })}
        >
          Resend link
        </Anchor>
      </Notice>
      <ErrorNotice error={resend.error} />
    </>
  )
}
