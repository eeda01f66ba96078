/** Sign-in with the identity provider of an account, which is found by an email or named by a link. */
import { Button, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useStartSso } from '../../api/sso.ts'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import form from '../../ui/form/form.module.css'
import { CardPage } from '../../ui/layout/card-page.tsx'
import { TextLink } from '../../ui/layout/links.tsx'

const route = getRouteApi('/sign-in/sso')

export function SsoSignInPage() {
  const { connection, return_to: returnTo } = route.useSearch()
  return (
    <CardPage
      title="Single sign-on"
      description={
        connection === undefined
          ? 'Hookline finds the identity provider of your organization by your email.'
          : 'Sign in with the identity provider of your organization.'
      }
      foot={
        <TextLink to="/sign-in" search={{ return_to: returnTo }}>
          Sign in with password
        </TextLink>
      }
    >
      {connection === undefined ? (
        <ByEmail returnTo={returnTo} />
      ) : (
        <ByConnection connection={connection} returnTo={returnTo} />
      )}
    </CardPage>
  )
}

function ByEmail({ returnTo }: { returnTo: string | undefined }) {
  const start = useStartSso(returnTo)
  const [email, setEmail] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start.mutate({ email: email.trim() })
  }
  return (
    <form className={form.form} onSubmit={submit}>
      <TextInput
        label="Work email"
        type="email"
        autoComplete="email"
        required
        withAsterisk={false}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <ErrorNotice error={start.error} isChange={false} />
      <Button type="submit" loading={start.isPending} fullWidth>
        Continue
      </Button>
    </form>
  )
}

interface ByConnectionProps {
  connection: string
  returnTo: string | undefined
}

function ByConnection({ connection, returnTo }: ByConnectionProps) {
  const start = useStartSso(returnTo)
  return (
    <div className={form.form}>
      <ErrorNotice error={start.error} isChange={false} />
      <Button loading={start.isPending} fullWidth onClick={() => start.mutate({ connection })}>
        Continue
      </Button>
    </div>
  )
}
