/** Confirms an email by the link from a mail, once somebody is signed in with the login that the link was sent for. */
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { hasCode, sessionQuery } from '../../api/api.ts'
import { useConfirmEmail } from '../../api/sign-in.ts'
import { CardPage } from '../../parts/card-page.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { ButtonLink, TextLink } from '../../parts/links.tsx'
import { Notice } from '../../parts/notice.tsx'
import { tokenInAddress } from './link-token.ts'
import { SignInForm } from './sign-in-form.tsx'

export function VerifyPage() {
  const [token] = useState(tokenInAddress)
  const session = useQuery(sessionQuery)
  const confirm = useConfirmEmail()
  // Once read, it need not stay in the address bar or the history.
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])

  if (confirm.isSuccess)
    return (
      <CardPage
        title="Email confirmed"
        about="You can sign in with it, and links for a forgotten password go there."
      >
        <ButtonLink to="/" fullWidth>
          Continue
        </ButtonLink>
      </CardPage>
    )
  if (token === '' || hasCode(confirm.error, 'linkInvalid'))
    return (
      <CardPage title="This link does not work">
        <Notice
          tone="attention"
          role="alert"
          title="Links work once, for 24 hours, and only for the login they were sent for."
        >
          <TextLink to="/account">Send a new link</TextLink>
        </Notice>
      </CardPage>
    )
  if (session.data === null)
    return (
      <CardPage
        title="Sign in to confirm your email"
        about="Use the alias and password that you registered with."
      >
        <SignInForm whenDone={() => void session.refetch()} />
      </CardPage>
    )
  return (
    <CardPage title="Confirm your email">
      {session.isPending && <Skeleton height={120} />}
      {session.isError && <ErrorState error={session.error} retry={() => void session.refetch()} />}
      {session.data !== undefined && (
        <>
          <p>
            You are signed in as <strong>{session.data.login.alias}</strong>.
            {session.data.login.unconfirmed_email !== null && (
              <>
                {' '}
                The email to confirm is <strong>{session.data.login.unconfirmed_email}</strong>.
              </>
            )}
          </p>
          <FailureNote error={confirm.error} />
          <Button loading={confirm.isPending} onClick={() => confirm.mutate(token)} fullWidth>
            Confirm email
          </Button>
        </>
      )}
    </CardPage>
  )
}
