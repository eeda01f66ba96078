/** An app asks for access: who it is, what it wants, for how long, how to take it back. Nothing is granted unasked. */
import { Button, Skeleton } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApiFailure } from '@hookline/sdk'
import { sessionQuery } from '../../api/api.ts'
import { type Interaction, interactionQuery, useAnswerInteraction } from '../../api/interaction.ts'
import { CardPage } from '../../parts/card-page.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { Notice } from '../../parts/notice.tsx'
import { dateOf } from '../../words/time.ts'
import { SignInForm } from '../sign-in/sign-in-form.tsx'
import styles from './connect.module.css'

const route = getRouteApi('/connect/$id')

export function ConnectPage() {
  const { id } = route.useParams()
  const { data, error, refetch } = useQuery(interactionQuery(id))
  if (data !== undefined) return <Asked interaction={data} again={() => void refetch()} />
  if (error instanceof ApiFailure && (error.status === 404 || error.status === 400 || error.status === 403))
    return (
      <CardPage title="This request is over">
        <Notice
          tone="attention"
          role="alert"
          title="It took too long, was already answered, or was made in another browser."
        >
          Nothing was granted. Go back to the app and start again from there.
        </Notice>
      </CardPage>
    )
  return (
    <CardPage title="An app asks for access">
      {error === null ? <Skeleton height={220} /> : <ErrorState error={error} retry={() => void refetch()} />}
    </CardPage>
  )
}

function Asked({ interaction, again }: { interaction: Interaction; again: () => void }) {
  const { app, needs } = interaction
  if (needs === 'sign-in')
    return (
      <CardPage
        title="Sign in to continue"
        about={
          <>
            <AppName app={app} /> asks for access to your account. You decide after signing in.
          </>
        }
        foot={<Deny id={interaction.id} />}
      >
        <SignInForm whenDone={again} />
      </CardPage>
    )
  return (
    <CardPage
      title="An app asks for access"
      foot={`You can take the access back at any time: Apps → With access → Revoke.`}
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
    had_access: had,
  } = interaction
  const answer = useAnswerInteraction(id)
  // Saying yes needs the session's token.
  const session = useQuery(sessionQuery)
  const isDone = answer.isPending || answer.isSuccess
  return (
    <div className={styles.consent}>
      <p>
        <AppName app={app} /> by{' '}
        <strong>
          <bdi>{app.publisher}</bdi>
        </strong>{' '}
        wants to act for{' '}
        <strong>
          <bdi>{session.data?.account.name ?? alias}</bdi>
        </strong>
        . It may:
      </p>
      <ul className={styles.scopes}>
        {scopes.map(({ scope, words }) => (
          <li key={scope}>
            <IconCheck className={styles.check} size={18} aria-hidden="true" />
            {words}
          </li>
        ))}
      </ul>
      <dl className={styles.facts}>
        <dt>Then you return to</dt>
        <dd>
          <bdi>{host}</bdi>
        </dd>
        <dt>The access lasts</dt>
        <dd>{days} days, unless you take it back</dd>
        <dt>The app is known here since</dt>
        <dd>{dateOf(new Date(app.created_at))}</dd>
        <dt>You are signed in as</dt>
        <dd>
          <bdi>{alias}</bdi>
        </dd>
      </dl>
      {had && (
        <p className={styles.quiet}>
          This app had access before. Allowing renews it with exactly these rights.
        </p>
      )}
      <FailureNote error={answer.error} />
      <div className={styles.actions}>
        <Button
          variant="default"
          loading={isDone && answer.variables === 'deny'}
          disabled={isDone}
          onClick={() => answer.mutate('deny')}
        >
          Deny
        </Button>
        <Button
          loading={isDone && answer.variables === 'allow'}
          disabled={isDone || !session.data}
          onClick={() => answer.mutate('allow')}
        >
          Allow
        </Button>
      </div>
    </div>
  )
}

function Deny({ id }: { id: string }) {
  const answer = useAnswerInteraction(id)
  return (
    <>
      <Button variant="subtle" color="gray" loading={answer.isPending} onClick={() => answer.mutate('deny')}>
        Deny and go back
      </Button>
      <FailureNote error={answer.error} />
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
