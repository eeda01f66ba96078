/** Dialog that registers an OAuth app and then shows its secret once. */
import { Button, Radio, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useCreateApp } from '../../api/oauth-apps.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import dialog from '../../ui/feedback/dialog.module.css'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import form from '../../ui/form/form.module.css'
import { useFieldError } from '../../ui/form/use-field-error.ts'
import { filledUris, RedirectUris } from './redirect-uris.tsx'
import { SecretReveal } from './secret-reveal.tsx'

export function CreateApp({ close }: { close: () => void }) {
  const navigate = useNavigate()
  const create = useCreateApp()
  const fields = useForm({
    initialValues: { name: '', kind: 'server', redirectUris: [''] },
    validate: {
      name: (value) => (value.trim() === '' ? 'Enter a name. Users see it on the consent page.' : null),
      redirectUris: (value) => (filledUris(value).length === 0 ? 'Enter at least one redirect URI.' : null),
    },
  })
  const rest = useFieldError(
    create.error,
    { redirect_uris: 'redirectUris', name: 'name' },
    fields.setFieldError,
  )
  const goTo = (id: string) => void navigate({ to: '/apps/$id', params: { id } })
  const submit = fields.onSubmit(({ name, kind, redirectUris }) =>
    create.mutate(
      { name: name.trim(), is_public: kind === 'public', redirect_uris: filledUris(redirectUris) },
      { onSuccess: ({ app, secret }) => secret === null && goTo(app.id) },
    ),
  )

  if (create.data !== undefined && create.data.secret !== null) {
    const { app, secret } = create.data
    return (
      <SecretReveal
        title={`“${app.name}” registered`}
        id={app.id}
        secret={secret}
        close={() => goTo(app.id)}
      />
    )
  }
  return (
    <Dialog title="Register app" close={close} isBusy={create.isPending} size="lg">
      <form className={form.wide} onSubmit={submit} noValidate>
        <TextInput
          label="Name"
          description="Users see this name on the consent page."
          maxLength={60}
          data-autofocus
          {...fields.getInputProps('name')}
        />
        <Radio.Group label="Type" {...fields.getInputProps('kind')}>
          <div className={form.wide}>
            <Radio
              value="server"
              label="Confidential (server)"
              description="Stores a secret and sends it with token requests."
            />
            <Radio
              value="public"
              label="Public (browser, mobile or desktop)"
              description="Cannot store a secret. PKCE protects the token request."
            />
          </div>
        </Radio.Group>
        <RedirectUris
          value={fields.values.redirectUris}
          onChange={(redirectUris) => fields.setFieldValue('redirectUris', redirectUris)}
          error={fields.errors.redirectUris}
        />
        <ErrorNotice error={rest} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={create.isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Register app
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
