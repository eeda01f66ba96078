/** A new key: a name, what it may do, how long, from where. Then the key itself, once. */
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { areaQuery } from '../../api/api.ts'
import { type NewKey, useCreateKey } from '../../api/keys.ts'
import { Dialog } from '../../parts/dialog.tsx'
import dialog from '../../parts/dialog.module.css'
import { FailureNote } from '../../parts/failure-note.tsx'
import form from '../../parts/form.module.css'
import { useFieldFailure } from '../../parts/use-field-failure.ts'
import styles from './keys.module.css'
import { ShownKey } from './shown-key.tsx'

const lifetimes = [
  { value: '', label: 'until it is revoked' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'a year' },
]

const dayMs = 24 * 60 * 60 * 1000

interface Values {
  name: string
  scopes: string[]
  days: string
  ips: string
}

function wireOf({ name, scopes, days, ips }: Values): NewKey {
  const addresses = ips.split(/[\s,]+/).filter((ip) => ip !== '')
  return {
    name: name.trim(),
    scopes: (scopes.includes('all') ? ['all'] : scopes) as NewKey['scopes'],
    ...(days !== '' && { expires_at: new Date(Date.now() + Number(days) * dayMs).toISOString() }),
    ...(addresses.length > 0 && { allowed_ips: addresses }),
  }
}

export function CreateKey({ close }: { close: () => void }) {
  const create = useCreateKey()
  const scopes = useQuery(areaQuery).data?.scopes ?? []
  const fields = useForm<Values>({
    initialValues: { name: '', scopes: ['all'], days: '', ips: '' },
    validate: {
      name: (value) =>
        value.trim() === '' ? 'Give it a name, so that you know later which program uses it.' : null,
      scopes: (value) => (value.length === 0 ? 'Choose at least one.' : null),
    },
  })
  const rest = useFieldFailure(
    create.error,
    { name: 'name', scopes: 'scopes', expires_at: 'days', allowed_ips: 'ips', address: 'ips' },
    fields.setFieldError,
  )
  if (create.data !== undefined)
    return <ShownKey title={`“${create.data.key.name}” is ready`} secret={create.data.secret} close={close} />

  const mayAll = fields.values.scopes.includes('all')
  return (
    <Dialog title="New API key" close={close} isBusy={create.isPending}>
      <form
        className={form.wide}
        onSubmit={fields.onSubmit((values) => create.mutate(wireOf(values)))}
        noValidate
      >
        <TextInput
          label="Name"
          description="The program that will use it."
          placeholder="order-service, production"
          maxLength={200}
          data-autofocus
          {...fields.getInputProps('name')}
        />
        <Checkbox.Group label="It may" {...fields.getInputProps('scopes')}>
          <div className={styles.scopes}>
            {scopes.map(({ scope, words }) => (
              <Checkbox key={scope} value={scope} label={words} disabled={mayAll && scope !== 'all'} />
            ))}
          </div>
        </Checkbox.Group>
        <NativeSelect label="It works" data={lifetimes} {...fields.getInputProps('days')} />
        <Textarea
          label="Only from these IP addresses"
          description="One a line; addresses or networks such as 203.0.113.0/24. Empty: from anywhere."
          autosize
          minRows={2}
          maxRows={6}
          spellCheck={false}
          {...fields.getInputProps('ips')}
        />
        <FailureNote error={rest} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={create.isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create the key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
