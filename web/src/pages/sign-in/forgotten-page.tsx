/** The way back in, by mail or by the operator. The answer is the same whether the login exists or not. */
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { areaQuery } from '../../api/api.ts'
import { useAskForReset } from '../../api/sign-in.ts'
import { CardPage } from '../../parts/card-page.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import form from '../../parts/form.module.css'
import { TextLink } from '../../parts/links.tsx'
import { Notice } from '../../parts/notice.tsx'

export function ForgottenPage() {
  const area = useQuery(areaQuery)
  return (
    <CardPage title="Forgotten your password?" foot={<TextLink to="/sign-in">Back to the sign-in</TextLink>}>
      {area.isError && <ErrorState error={area.error} retry={() => void area.refetch()} />}
      {area.data?.password_reset === 'mail' && <AskForm />}
      {area.data?.password_reset === 'operator' && (
        <Notice tone="accent" title="This installation sends no mail.">
          {area.data.operator_contact === null
            ? 'Ask those who run it to set a new password for you.'
            : `Ask ${area.data.operator_contact} to set a new password for you.`}
        </Notice>
      )}
    </CardPage>
  )
}

function AskForm() {
  const ask = useAskForReset()
  const [login, setLogin] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate(login.trim())
  }
  if (ask.isSuccess)
    return (
      <Notice tone="good" role="status" title="Look into your mailbox">
        If there is such a login, a link is on its way. It works once, for 30 minutes.
      </Notice>
    )
  return (
    <form className={form.form} onSubmit={submit}>
      <TextInput
        label="Alias or e-mail address"
        description="We send a link with which you set a new password."
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        withAsterisk={false}
        value={login}
        onChange={(event) => setLogin(event.currentTarget.value)}
      />
      <FailureNote error={ask.error} />
      <Button type="submit" loading={ask.isPending} fullWidth>
        Send the link
      </Button>
    </form>
  )
}
