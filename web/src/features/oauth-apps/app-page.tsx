/** Settings of an OAuth app: client data, redirect URIs, secret and deletion. */
import { Button, Skeleton, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { type App, appsQuery, useChangeApp, useDeleteApp, useRotateSecret } from '../../api/oauth-apps.ts'
import { ConfirmDanger } from '../../ui/feedback/confirm-danger.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import form from '../../ui/form/form.module.css'
import { TextLink } from '../../ui/layout/links.tsx'
import { Mono } from '../../ui/data/mono.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { RelativeTime } from '../../ui/time/relative-time.tsx'
import { useFieldError } from '../../ui/form/use-field-error.ts'
import { plural } from '../../lib/format-number.ts'
import styles from './apps.module.css'
import { filledUris, RedirectUris } from './redirect-uris.tsx'
import { SecretReveal } from './secret-reveal.tsx'

const route = getRouteApi('/app/apps/$id')

export function AppPage() {
  const { id } = route.useParams()
  const apps = useQuery(appsQuery)
  const app = apps.data?.find((candidate) => candidate.id === id)
  return (
    <>
      <TextLink to="/apps" className={styles.back}>
        ← All apps
      </TextLink>
      {app !== undefined && <AppDetail app={app} />}
      {app === undefined && apps.isPending && <Skeleton height={320} />}
      {app === undefined && apps.isError && (
        <ErrorState error={apps.error} retry={() => void apps.refetch()} />
      )}
      {app === undefined && apps.isSuccess && (
        <PageHeader title="App not found" description="The app was deleted or belongs to another account." />
      )}
    </>
  )
}

function AppDetail({ app }: { app: App }) {
  return (
    <>
      <PageHeader
        title={app.name}
        description={app.is_public ? 'Public app without a secret' : 'Confidential app with a secret'}
      />
      <ClientPanel app={app} />
      {app.manageable ? (
        <>
          <EditPanel app={app} />
          {!app.is_public && <SecretPanel app={app} />}
          <DeletePanel app={app} />
        </>
      ) : (
        <Notice tone="neutral" title="Another member created this app">
          Admins of the account can change and delete it.
        </Notice>
      )}
    </>
  )
}

function ClientPanel({ app }: { app: App }) {
  return (
    <Panel title="OAuth client">
      <dl className={styles.facts}>
        <dt>Client ID</dt>
        <dd>
          <Mono text={app.id} label="client ID" />
        </dd>
        <dt>Authorization endpoint</dt>
        <dd>
          <Mono text={`${location.origin}/oauth/authorize`} label="URL" />
        </dd>
        <dt>Token endpoint</dt>
        <dd>
          <Mono text={`${location.origin}/oauth/token`} label="URL" />
        </dd>
        <dt>Metadata</dt>
        <dd>
          <Mono text={`${location.origin}/.well-known/oauth-authorization-server/oauth`} label="URL" />
        </dd>
        <dt>Authorized by</dt>
        <dd>{plural(app.accounts, 'account')}</dd>
        <dt>Last used</dt>
        <dd>{app.last_used_at === null ? 'Never' : <RelativeTime at={app.last_used_at} />}</dd>
        <dt>Created</dt>
        <dd>
          <RelativeTime at={app.created_at} />
        </dd>
      </dl>
    </Panel>
  )
}

function EditPanel({ app }: { app: App }) {
  const change = useChangeApp(app.id)
  const fields = useForm({
    initialValues: { name: app.name, redirectUris: app.redirect_uris },
    validate: {
      name: (value) => (value.trim() === '' ? 'Enter a name.' : null),
      redirectUris: (value) => (filledUris(value).length === 0 ? 'Enter at least one redirect URI.' : null),
    },
  })
  const rest = useFieldError(
    change.error,
    { redirect_uris: 'redirectUris', name: 'name' },
    fields.setFieldError,
  )
  const submit = fields.onSubmit(({ name, redirectUris }) =>
    change.mutate(
      { name: name.trim(), redirect_uris: filledUris(redirectUris) },
      {
        onSuccess(response) {
          fields.setInitialValues({ name: response.app.name, redirectUris: response.app.redirect_uris })
          fields.reset()
          toast('App updated')
        },
      },
    ),
  )
  return (
    <Panel
      title="Name and redirect URIs"
      description="Changes apply immediately to new authorization requests."
    >
      <form className={form.wide} onSubmit={submit} noValidate>
        <TextInput label="Name" maxLength={60} {...fields.getInputProps('name')} />
        <RedirectUris
          value={fields.values.redirectUris}
          onChange={(redirectUris) => fields.setFieldValue('redirectUris', redirectUris)}
          error={fields.errors.redirectUris}
        />
        <ErrorNotice error={rest} />
        <div className={form.actions}>
          <Button type="submit" loading={change.isPending} disabled={!fields.isDirty()}>
            Save changes
          </Button>
        </div>
      </form>
    </Panel>
  )
}

function SecretPanel({ app }: { app: App }) {
  const [isOpen, setOpen] = useState(false)
  const rotate = useRotateSecret(app.id)
  return (
    <>
      <Panel
        title="Client secret"
        description={
          <>
            The current secret starts with <code>{app.secret_prefix}…</code> Hookline stores only its hash.
          </>
        }
        actions={
          <Button variant="default" onClick={() => setOpen(true)}>
            Rotate secret
          </Button>
        }
      />
      {isOpen && (
        <ConfirmDanger
          title={`Rotate secret for “${app.name}”?`}
          action="Rotate secret"
          act={() => rotate.mutateAsync()}
          close={() => setOpen(false)}
        >
          The current secret stops working immediately. The app needs the new secret to get tokens. Existing
          tokens work until they expire.
        </ConfirmDanger>
      )}
      {rotate.data !== undefined && (
        <SecretReveal
          title={`New secret for “${app.name}”`}
          id={app.id}
          secret={rotate.data.secret}
          close={() => rotate.reset()}
        />
      )}
    </>
  )
}

function DeletePanel({ app }: { app: App }) {
  const navigate = route.useNavigate()
  const [isOpen, setOpen] = useState(false)
  const remove = useDeleteApp()
  return (
    <>
      <Panel
        tone="danger"
        title="Delete app"
        description="All tokens of the app stop working immediately. This cannot be undone."
        actions={
          <Button color="red" variant="light" onClick={() => setOpen(true)}>
            Delete app
          </Button>
        }
      />
      {isOpen && (
        <ConfirmDanger
          title={`Delete “${app.name}”?`}
          action="Delete app"
          confirmText={app.name}
          act={async () => {
            await remove.mutateAsync(app)
            toast(`“${app.name}” deleted`)
            await navigate({ to: '/apps' })
          }}
          close={() => setOpen(false)}
        >
          {app.accounts === 0
            ? 'No account uses this app. '
            : `${plural(app.accounts, 'account')} will lose access through this app. `}
          All tokens stop working immediately. The client ID is never reused.
        </ConfirmDanger>
      )}
    </>
  )
}
