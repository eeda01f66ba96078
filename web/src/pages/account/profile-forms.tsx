import { Anchor, Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChangeEmail, useRenameAccount, useResendVerification } from '../../api/account.ts'
import { useSession } from '../../frame/session-context.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import form from '../../parts/form.module.css'
import { Notice } from '../../parts/notice.tsx'
import { PasswordPrompt } from '../../parts/password-prompt.tsx'
import { say } from '../../parts/say.ts'
import { fieldNamedBy } from '../../words/failure.ts'
import styles from './account.module.css'

export function ProfileForms() {
  const { login } = useSession()
  return (
    <div className={styles.stack}>
      <AccountName />
      <Email />
      <TextInput
        className={styles.field}
        label="Alias"
        description="With it or the e-mail address you sign in. It cannot be changed."
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
  const isNamed = fieldNamedBy(rename.error, { name: 'name' }) !== undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate(name.trim(), { onSuccess: () => say('The account has its new name.') })
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
          Rename
        </Button>
      </div>
      {!isNamed && <FailureNote error={rename.error} />}
    </form>
  )
}

function Email() {
  const { login } = useSession()
  const change = useChangeEmail()
  const [email, setEmail] = useState(login.email ?? '')
  const [isAsked, setAsked] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
  }
  return (
    <>
      <form className={form.form} onSubmit={submit}>
        <div className={styles.line}>
          <TextInput
            label="E-mail address"
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
            Change
          </Button>
        </div>
      </form>
      {login.unconfirmed_email !== null && <Unconfirmed email={login.unconfirmed_email} />}
      {isAsked && (
        <PasswordPrompt
          title="Change your e-mail address"
          action="Send link"
          act={async (password) => {
            await change.mutateAsync({ email: email.trim(), password })
            setAsked(false)
            say('Check your email. Open the link to confirm it.')
          }}
          close={() => setAsked(false)}
        >
          A link is sent to <strong>{email.trim()}</strong>. The email is changed once you open it.
        </PasswordPrompt>
      )}
    </>
  )
}

/** An email that does not count yet. */
function Unconfirmed({ email }: { email: string }) {
  const resend = useResendVerification()
  return (
    <>
      <Notice tone="attention" title="Email not confirmed">
        Open the link that was sent to <strong>{email}</strong>.{' '}
        <Anchor
          component="button"
          type="button"
          inherit
          disabled={resend.isPending}
          onClick={() => resend.mutate(undefined, { onSuccess: () => say('Link sent') })}
        >
          Resend link
        </Anchor>
      </Notice>
      <FailureNote error={resend.error} />
    </>
  )
}
