/** Confirms an email with the token of an email link. The user must be signed in with the login of the link. */
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { isErrorCode, sessionQuery } from '../../api/client.ts'
import { useConfirmEmail } from '../../api/auth.ts'
import { CardPage } from '../../ui/layout/card-page.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import { ButtonLink, TextLink } from '../../ui/layout/links.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { useLinkToken } from './link-token.ts'
import { SignInForm } from './sign-in-form.tsx'

export function VerifyPage() {
  const token = useLinkToken()
  const session = useQuery(sessionQuery)
  const confirm = useConfirmEmail()

  if (confirm.isSuccess)
    return (
      <CardPage title="Email confirmed" description="You can sign in with it. Password reset links go there.">
        <ButtonLink to="/" fullWidth>
          Continue
        </ButtonLink>
      </CardPage>
    )
  if (token === '' || isErrorCode(confirm.error, 'invalidResetLink'))
    return (
      <CardPage title="Invalid or expired link">
        <Notice tone="warning" role="alert" title="Confirmation links work once, for 24 hours, for one login">
          <TextLink to="/account">Request new link</TextLink>
        </Notice>
      </CardPage>
    )
  if (session.data === null)
    return (
      <CardPage title="Sign in to confirm your email" description="Use your alias and password.">
        <SignInForm onSuccess={() => void session.refetch()} />
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
          <ErrorNotice error={confirm.error} />
          <Button loading={confirm.isPending} onClick={() => confirm.mutate(token)} fullWidth>
            Confirm email
          </Button>
        </>
      )}
    </CardPage>
  )
}
