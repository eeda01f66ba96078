/** Dialog that creates an API key and then shows it. */
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { configQuery } from '../../api/client.ts'
import { type NewKey, useCreateKey } from '../../api/api-keys.ts'
import { useAccess } from '../auth/use-access.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import dialog from '../../ui/feedback/dialog.module.css'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import form from '../../ui/form/form.module.css'
import { useFieldError } from '../../ui/form/use-field-error.ts'
import styles from './keys.module.css'
import { KeyReveal } from './key-reveal.tsx'

const lifetimes = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
]

const dayMs = 24 * 60 * 60 * 1000

interface Values {
  name: string
  scopes: string[]
  days: string
  ips: string
  isSigned: boolean
}

function toApiInput({ name, scopes, days, ips, isSigned }: Values): NewKey {
  const addresses = ips.split(/[\s,]+/).filter((ip) => ip !== '')
  return {
    name: name.trim(),
    scopes: (scopes.includes('all') ? ['all'] : scopes) as NewKey['scopes'],
    ...(days !== '' && { expires_at: new Date(Date.now() + Number(days) * dayMs).toISOString() }),
    ...(addresses.length > 0 && { allowed_ips: addresses }),
    ...(isSigned && { signed_calls_required: true }),
  }
}

export function CreateKey({ close }: { close: () => void }) {
  const create = useCreateKey()
  const { mayGive } = useAccess()
  const scopes = (useQuery(configQuery).data?.scopes ?? []).filter(({ scope }) => mayGive(scope))
  const fields = useForm<Values>({
    initialValues: {
      name: '',
      scopes: [mayGive('all') ? 'all' : 'hooks'],
      days: '',
      ips: '',
      isSigned: false,
    },
    validate: {
      name: (value) => (value.trim() === '' ? 'Enter a name that identifies the key.' : null),
      scopes: (value) => (value.length === 0 ? 'Select at least one scope.' : null),
    },
  })
  const rest = useFieldError(
    create.error,
    { name: 'name', scopes: 'scopes', expires_at: 'days', allowed_ips: 'ips' },
    fields.setFieldError,
  )
  if (create.data !== undefined)
    return (
      <KeyReveal
        title={`API key “${create.data.key.name}” created`}
        secret={create.data.secret}
        close={close}
      />
    )

  const hasAllScopes = fields.values.scopes.includes('all')
  return (
    <Dialog title="Create API key" close={close} isBusy={create.isPending}>
      <form
        className={form.wide}
        onSubmit={fields.onSubmit((values) => create.mutate(toApiInput(values)))}
        noValidate
      >
        <TextInput
          label="Name"
          description="The program that uses the key."
          placeholder="order-service, production"
          maxLength={200}
          data-autofocus
          {...fields.getInputProps('name')}
        />
        <Checkbox.Group label="Scopes" {...fields.getInputProps('scopes')}>
          <div className={styles.scopes}>
            {scopes.map(({ scope, description }) => (
              <Checkbox
                key={scope}
                value={scope}
                label={description}
                disabled={hasAllScopes && scope !== 'all'}
              />
            ))}
          </div>
        </Checkbox.Group>
        <NativeSelect label="Expires" data={lifetimes} {...fields.getInputProps('days')} />
        <Textarea
          label="Allowed IP addresses"
          description="One address or network per line, such as 203.0.113.0/24. Leave empty to allow all."
          autosize
          minRows={2}
          maxRows={6}
          spellCheck={false}
          {...fields.getInputProps('ips')}
        />
        <Checkbox
          label="Require signed calls"
          description="Accept only calls that are signed with the account's signing key."
          {...fields.getInputProps('isSigned', { type: 'checkbox' })}
        />
        <ErrorNotice error={rest} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={create.isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
