/** One app: what it is, its secret, its redirect addresses, and its end. */
import { Button, Skeleton, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { type App, appsQuery, useChangeApp, useDeleteApp, useRotateSecret } from '../../api/apps.ts'
import { ConfirmDanger } from '../../parts/confirm-danger.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import form from '../../parts/form.module.css'
import { TextLink } from '../../parts/links.tsx'
import { Mono } from '../../parts/mono.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { say } from '../../parts/say.ts'
import { Time } from '../../parts/time.tsx'
import { useFieldFailure } from '../../parts/use-field-failure.ts'
import { counted } from '../../words/count.ts'
import styles from './apps.module.css'
import { filledAddresses, RedirectAddresses } from './redirect-addresses.tsx'
import { ShownSecret } from './shown-secret.tsx'

const route = getRouteApi('/area/apps/$id')

export function AppPage() {
  const { id } = route.useParams()
  const apps = useQuery(appsQuery)
  const app = apps.data?.find((one) => one.id === id)
  return (
    <>
      <TextLink to="/apps" className={styles.back}>
        ← All apps
      </TextLink>
      {app !== undefined && <OneApp app={app} />}
      {app === undefined && apps.isPending && <Skeleton height={320} />}
      {app === undefined && apps.isError && (
        <ErrorState error={apps.error} retry={() => void apps.refetch()} />
      )}
      {app === undefined && apps.isSuccess && (
        <PageHeader
          title="There is no such app"
          about="It may have been deleted, or belong to another account."
        />
      )}
    </>
  )
}

function OneApp({ app }: { app: App }) {
  return (
    <>
      <PageHeader
        title={app.name}
        about={app.is_public ? 'A public app, without a secret.' : 'An app with a secret.'}
      />
      <Facts app={app} />
      <Change app={app} />
      {!app.is_public && <SecretPanel app={app} />}
      <End app={app} />
    </>
  )
}

function Facts({ app }: { app: App }) {
  return (
    <Panel title="For the app’s developers">
      <dl className={styles.facts}>
        <dt>Client id</dt>
        <dd>
          <Mono text={app.id} what="client id" />
        </dd>
        <dt>Authorize at</dt>
        <dd>
          <Mono text={`${location.origin}/oauth/auth`} what="address" />
        </dd>
        <dt>Tokens at</dt>
        <dd>
          <Mono text={`${location.origin}/oauth/token`} what="address" />
        </dd>
        <dt>Described at</dt>
        <dd>
          <Mono text={`${location.origin}/.well-known/oauth-authorization-server/oauth`} what="address" />
        </dd>
        <dt>Let in by</dt>
        <dd>{counted(app.customers, 'account')}</dd>
        <dt>Last used</dt>
        <dd>{app.last_used_at === null ? 'Never' : <Time at={app.last_used_at} />}</dd>
        <dt>Created</dt>
        <dd>
          <Time at={app.created_at} />
        </dd>
      </dl>
    </Panel>
  )
}

function Change({ app }: { app: App }) {
  const change = useChangeApp(app.id)
  const fields = useForm({
    initialValues: { name: app.name, addresses: app.redirect_uris },
    validate: {
      name: (value) => (value.trim() === '' ? 'An app needs a name.' : null),
      addresses: (value) => (filledAddresses(value).length === 0 ? 'Give at least one address.' : null),
    },
  })
  const rest = useFieldFailure(
    change.error,
    { redirect: 'addresses', address: 'addresses', name: 'name' },
    fields.setFieldError,
  )
  const submit = fields.onSubmit(({ name, addresses }) =>
    change.mutate(
      { name: name.trim(), redirect_uris: filledAddresses(addresses) },
      {
        onSuccess(answer) {
          fields.setInitialValues({ name: answer.app.name, addresses: answer.app.redirect_uris })
          fields.reset()
          say('The app is changed.')
        },
      },
    ),
  )
  return (
    <Panel
      title="Name and redirect addresses"
      about="Both count at once for everybody who is asked from now on."
    >
      <form className={form.wide} onSubmit={submit} noValidate>
        <TextInput label="Name" maxLength={60} {...fields.getInputProps('name')} />
        <RedirectAddresses
          value={fields.values.addresses}
          onChange={(addresses) => fields.setFieldValue('addresses', addresses)}
          error={fields.errors.addresses}
        />
        <FailureNote error={rest} />
        <div className={form.actions}>
          <Button type="submit" loading={change.isPending} disabled={!fields.isDirty()}>
            Save
          </Button>
        </div>
      </form>
    </Panel>
  )
}

function SecretPanel({ app }: { app: App }) {
  const [isAsked, setAsked] = useState(false)
  const rotate = useRotateSecret(app.id)
  return (
    <>
      <Panel
        title="Secret"
        about={
          <>
            The present one begins with <code>{app.secret_prefix}…</code> Only its fingerprint is kept here.
          </>
        }
        actions={
          <Button variant="default" onClick={() => setAsked(true)}>
            Make a new secret
          </Button>
        }
      />
      {isAsked && (
        <ConfirmDanger
          title={`Make a new secret for “${app.name}”?`}
          action="Make a new secret"
          act={() => rotate.mutateAsync()}
          close={() => setAsked(false)}
        >
          The present secret ends at once: the app gets no new tokens until it has the new one. Tokens that it
          already holds go on until they expire.
        </ConfirmDanger>
      )}
      {rotate.data !== undefined && (
        <ShownSecret
          title={`The new secret of “${app.name}”`}
          id={app.id}
          secret={rotate.data.secret}
          close={() => rotate.reset()}
        />
      )}
    </>
  )
}

function End({ app }: { app: App }) {
  const navigate = route.useNavigate()
  const [isAsked, setAsked] = useState(false)
  const remove = useDeleteApp()
  return (
    <>
      <Panel
        tone="danger"
        title="Delete the app"
        about="Its tokens die at once, for every account that let it in. This cannot be undone."
        actions={
          <Button color="red" variant="light" onClick={() => setAsked(true)}>
            Delete the app
          </Button>
        }
      />
      {isAsked && (
        <ConfirmDanger
          title={`Delete “${app.name}”?`}
          action="Delete the app"
          typed={app.name}
          act={async () => {
            await remove.mutateAsync(app)
            say(`“${app.name}” is deleted.`)
            await navigate({ to: '/apps' })
          }}
          close={() => setAsked(false)}
        >
          {app.customers === 0
            ? 'No account has let it in. '
            : `${counted(app.customers, 'account')} let it in and will lose what it does for them. `}
          Its tokens die at once, and its client id is never used again.
        </ConfirmDanger>
      )}
    </>
  )
}
