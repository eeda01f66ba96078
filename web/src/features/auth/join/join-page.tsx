/** Accepts an invitation with the token of an email link: as the signed-in user, by a sign-in, or with a new login. */
import { Anchor, Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isErrorCode, sessionQuery } from '../../../api/client.ts'
import { type InvitationDetail, invitationQuery, useAcceptInvitation } from '../../../api/members.ts'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import form from '../../../ui/form/form.module.css'
import { CardPage } from '../../../ui/layout/card-page.tsx'
import { TextLink } from '../../../ui/layout/links.tsx'
import { useLinkToken } from '../link-token.ts'
import { SignInForm } from '../sign-in-form.tsx'
import { CreateLogin } from './create-login.tsx'
import { InvitationFacts } from './invitation-facts.tsx'

export function JoinPage() {
  const token = useLinkToken()
  const invitation = useQuery({ ...invitationQuery(token), enabled: token !== '' })
  const session = useQuery(sessionQuery)
  if (token === '' || isErrorCode(invitation.error, 'invalidInvitation')) return <InvalidInvitation />
  if (invitation.data !== undefined && session.data !== undefined)
    return <Join key={token} token={token} invitation={invitation.data} alias={session.data?.login.alias} />
  const failed = [invitation, session].find(({ isError }) => isError)
  return (
    <CardPage title="Join account">
      {failed === undefined ? (
        <Skeleton height={220} />
      ) : (
        <ErrorState error={failed.error} retry={() => void failed.refetch()} />
      )}
    </CardPage>
  )
}

function InvalidInvitation() {
  return (
    <CardPage title="Invalid or expired invitation">
      <Notice
        tone="warning"
        role="alert"
        title="The link was used, revoked or replaced, or is older than 7 days"
      >
        If you have joined already, <TextLink to="/sign-in">sign in</TextLink>. Otherwise use the link of the
        latest email, or ask the sender for another invitation.
      </Notice>
    </CardPage>
  )
}

interface JoinProps {
  token: string
  invitation: InvitationDetail
  /** Of the signed-in user. */
  alias: string | undefined
}

type Way = 'accept' | 'sign-in' | 'create'

function Join({ token, invitation, alias }: JoinProps) {
  const { has_login: hasLogin, email, account_name: name } = invitation
  const [usesOtherLogin, setUsesOtherLogin] = useState(false)
  const [first] = useState<Way>(() => (alias !== undefined ? 'accept' : hasLogin ? 'sign-in' : 'create'))
  const way = usesOtherLogin ? 'sign-in' : first
  const other = (
    <Anchor component="button" type="button" onClick={() => setUsesOtherLogin(true)}>
      Sign in with another login
    </Anchor>
  )
  return (
    <CardPage title={`Join ${name}`} {...(way !== 'sign-in' && { foot: other })}>
      <div className={form.form}>
        <InvitationFacts invitation={invitation} />
        {way === 'accept' && <Accept token={token} alias={alias ?? ''} />}
        {way === 'sign-in' && (
          <Step text="Sign in to join.">
            <SignInForm
              purpose={{ invitation: token }}
              {...(hasLogin && first === 'sign-in' && { login: email })}
            />
          </Step>
        )}
        {way === 'create' && (
          <Step text="Create a login. The link has confirmed your email.">
            <CreateLogin token={token} email={email} />
          </Step>
        )}
      </div>
    </CardPage>
  )
}

function Step({ text, children }: { text: string; children: ReactNode }) {
  return (
    <>
      <p>{text}</p>
      {children}
    </>
  )
}

function Accept({ token, alias }: { token: string; alias: string }) {
  const accept = useAcceptInvitation()
  return (
    <>
      <p>
        You are signed in as{' '}
        <strong>
          <bdi>{alias}</bdi>
        </strong>
        .
      </p>
      <ErrorNotice error={accept.error} />
      <Button loading={accept.isPending || accept.isSuccess} onClick={() => accept.mutate(token)} fullWidth>
        Join account
      </Button>
    </>
  )
}
