/** Password reset by email or by the operator. The response does not reveal whether the login exists. */
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { configQuery } from '../../api/client.ts'
import { useRequestReset } from '../../api/auth.ts'
import { CardPage } from '../../ui/layout/card-page.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import form from '../../ui/form/form.module.css'
import { TextLink } from '../../ui/layout/links.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'

export function ForgotPasswordPage() {
  const config = useQuery(configQuery)
  return (
    <CardPage title="Forgot password?" foot={<TextLink to="/sign-in">Back to sign in</TextLink>}>
      {config.isError && <ErrorState error={config.error} retry={() => void config.refetch()} />}
      {config.data?.password_reset === 'mail' && <RequestResetForm />}
      {config.data?.password_reset === 'operator' && (
        <Notice tone="info" title="Email is not configured">
          {config.data.operator_contact === null
            ? 'Contact the operator to set a new password.'
            : `Contact ${config.data.operator_contact} to set a new password.`}
        </Notice>
      )}
    </CardPage>
  )
}

function RequestResetForm() {
  const request = useRequestReset()
  const [login, setLogin] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    request.mutate(login.trim())
  }
  if (request.isSuccess)
    return (
      <Notice tone="success" role="status" title="Check your email">
        If the login exists, a reset link is on its way. The link works once, for 30 minutes.
      </Notice>
    )
  return (
    <form className={form.form} onSubmit={submit}>
      <TextInput
        label="Alias or email"
        description="Hookline sends you a password reset link."
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        withAsterisk={false}
        value={login}
        onChange={(event) => setLogin(event.currentTarget.value)}
      />
      <ErrorNotice error={request.error} />
      <Button type="submit" loading={request.isPending} fullWidth>
        Send reset link
      </Button>
    </form>
  )
}
