/** OAuth consent page: app, requested scopes and duration. Access is granted only after an explicit Allow. */
import { Button, Skeleton } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApiError } from '@hookline/client'
import { accessOf } from '../../api/access.ts'
import { sessionQuery } from '../../api/client.ts'
import { type Interaction, consentQuery, useDecideConsent } from '../../api/consent.ts'
import { CardPage } from '../../ui/layout/card-page.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { formatDate } from '../../lib/format-time.ts'
import { roleText } from '../../messages/roles.ts'
import { SignInForm } from '../auth/sign-in-form.tsx'
import styles from './consent.module.css'

const route = getRouteApi('/connect/$id')

export function ConsentPage() {
  const { id } = route.useParams()
  const { data, error, refetch } = useQuery(consentQuery(id))
  if (data !== undefined) return <ConsentRequest interaction={data} refetch={() => void refetch()} />
  if (error instanceof ApiError && (error.status === 404 || error.status === 400 || error.status === 403))
    return (
      <CardPage title="Request expired">
        <Notice
          tone="warning"
          role="alert"
          title="The request timed out, was already answered, or belongs to another browser"
        >
          No access was granted. Start again from the app.
        </Notice>
      </CardPage>
    )
  return (
    <CardPage title="Authorize app">
      {error === null ? <Skeleton height={220} /> : <ErrorState error={error} retry={() => void refetch()} />}
    </CardPage>
  )
}

function ConsentRequest({ interaction, refetch }: { interaction: Interaction; refetch: () => void }) {
  const { app, needs } = interaction
  const session = useQuery(sessionQuery)
  // The session can end between the two requests.
  if (needs === 'sign-in' || session.data === null)
    return (
      <CardPage
        title="Sign in to continue"
        description={
          <>
            <AppName app={app} /> requests access to your account. You decide after signing in.
          </>
        }
        foot={<DenyButton id={interaction.id} />}
      >
        <SignInForm onSuccess={refetch} returnTo={location.pathname} />
      </CardPage>
    )
  return (
    <CardPage
      title={`Authorize ${app.name}`}
      foot="You can revoke access at any time under Apps → Authorized apps."
    >
      <Consent interaction={interaction} />
    </CardPage>
  )
}

function Consent({ interaction }: { interaction: Interaction }) {
  const {
    id,
    app,
    scopes,
    redirect_host: host,
    lasts_days: days,
    login_alias: alias,
    had_access: hadAccess,
  } = interaction
  const decide = useDecideConsent(id)
  // Allow requires the CSRF token of the session.
  const session = useQuery(sessionQuery)
  const isDecided = decide.isPending || decide.isSuccess
  const member = session.data?.member
  const mayAllow = member === undefined || scopes.every(({ scope }) => accessOf(member).mayGive(scope))
  return (
    <div className={styles.consent}>
      <p>
        <AppName app={app} /> by{' '}
        <strong>
          <bdi>{app.publisher}</bdi>
        </strong>{' '}
        requests access to{' '}
        <strong>
          <bdi>{session.data?.account.name ?? alias}</bdi>
        </strong>
        . If you allow it, the app can:
      </p>
      <ul className={styles.scopes}>
        <li>
          <IconCheck className={styles.check} size={18} aria-hidden="true" />
          View your alias, email and account name
        </li>
        {scopes.map(({ scope, description }) => (
          <li key={scope}>
            <IconCheck className={styles.check} size={18} aria-hidden="true" />
            {description}
          </li>
        ))}
      </ul>
      <dl className={styles.facts}>
        <dt>Redirects to</dt>
        <dd>
          <bdi>{host}</bdi>
        </dd>
        <dt>Access lasts</dt>
        <dd>{days} days, unless revoked</dd>
        <dt>App registered</dt>
        <dd>{formatDate(new Date(app.created_at))}</dd>
        <dt>Signed in as</dt>
        <dd>
          <bdi>{alias}</bdi>
        </dd>
      </dl>
      {hadAccess && (
        <p className={styles.muted}>
          This app had access before. Allow renews access with exactly these scopes.
        </p>
      )}
      {!mayAllow && (
        <Notice tone="warning" title="You cannot authorize this app">
          Your role {roleText[member.role].label} or your rights do not include these permissions. Ask an
          admin of the account.
        </Notice>
      )}
      <ErrorNotice error={decide.error} />
      <div className={styles.actions}>
        <Button
          variant="default"
          loading={isDecided && decide.variables === 'deny'}
          disabled={isDecided}
          onClick={() => decide.mutate('deny')}
        >
          Deny
        </Button>
        {mayAllow && (
          <Button
            loading={isDecided && decide.variables === 'allow'}
            disabled={isDecided || !session.data}
            onClick={() => decide.mutate('allow')}
          >
            Allow
          </Button>
        )}
      </div>
    </div>
  )
}

function DenyButton({ id }: { id: string }) {
  const decide = useDecideConsent(id)
  return (
    <>
      <Button variant="subtle" color="gray" loading={decide.isPending} onClick={() => decide.mutate('deny')}>
        Deny access
      </Button>
      <ErrorNotice error={decide.error} />
    </>
  )
}

function AppName({ app }: { app: Interaction['app'] }) {
  return (
    <strong>
      <bdi>{app.name}</bdi>
    </strong>
  )
}
