/** A new app: a name people will read when it asks, its kind, where people return. Then its secret, once. */
import { Button, Radio, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useCreateApp } from '../../api/apps.ts'
import { Dialog } from '../../parts/dialog.tsx'
import dialog from '../../parts/dialog.module.css'
import { FailureNote } from '../../parts/failure-note.tsx'
import form from '../../parts/form.module.css'
import { useFieldFailure } from '../../parts/use-field-failure.ts'
import { filledAddresses, RedirectAddresses } from './redirect-addresses.tsx'
import { ShownSecret } from './shown-secret.tsx'

export function CreateApp({ close }: { close: () => void }) {
  const navigate = useNavigate()
  const create = useCreateApp()
  const fields = useForm({
    initialValues: { name: '', kind: 'server', addresses: [''] },
    validate: {
      name: (value) =>
        value.trim() === '' ? 'People will read this name when the app asks for access.' : null,
      addresses: (value) => (filledAddresses(value).length === 0 ? 'Give at least one address.' : null),
    },
  })
  const rest = useFieldFailure(
    create.error,
    { redirect: 'addresses', address: 'addresses', name: 'name' },
    fields.setFieldError,
  )
  const goTo = (id: string) => void navigate({ to: '/apps/$id', params: { id } })
  const submit = fields.onSubmit(({ name, kind, addresses }) =>
    create.mutate(
      { name: name.trim(), is_public: kind === 'public', redirect_uris: filledAddresses(addresses) },
      { onSuccess: ({ app, secret }) => secret === null && goTo(app.id) },
    ),
  )

  if (create.data !== undefined && create.data.secret !== null) {
    const { app, secret } = create.data
    return (
      <ShownSecret
        title={`“${app.name}” is registered`}
        id={app.id}
        secret={secret}
        close={() => goTo(app.id)}
      />
    )
  }
  return (
    <Dialog title="New app" close={close} isBusy={create.isPending} size="lg">
      <form className={form.wide} onSubmit={submit} noValidate>
        <TextInput
          label="Name"
          description="People read it when the app asks for access."
          maxLength={60}
          data-autofocus
          {...fields.getInputProps('name')}
        />
        <Radio.Group label="Where it runs" {...fields.getInputProps('kind')}>
          <div className={form.wide}>
            <Radio
              value="server"
              label="On a server"
              description="It can keep a secret, which it shows when it asks for tokens."
            />
            <Radio
              value="public"
              label="In a browser, on a phone or a desk"
              description="It cannot keep a secret; PKCE alone proves that it is the one that asked."
            />
          </div>
        </Radio.Group>
        <RedirectAddresses
          value={fields.values.addresses}
          onChange={(addresses) => fields.setFieldValue('addresses', addresses)}
          error={fields.errors.addresses}
        />
        <FailureNote error={rest} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={create.isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Register the app
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
